-- Collections and sources that code, settings and addresses of sources name by their address count as named.
INSERT INTO reference_backlog SELECT 'page', id FROM pages WHERE html LIKE '%/api/v1/%' OR head LIKE '%/api/v1/%'
  ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'snippet', id FROM snippets WHERE content LIKE '%/api/v1/%' ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'asset', id FROM assets WHERE content LIKE '%/api/v1/%' ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'pen', id FROM pens WHERE html LIKE '%/api/v1/%' OR js LIKE '%/api/v1/%'
  ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'source', id FROM sources WHERE url LIKE '%/api/v1/%' OR body LIKE '%/api/v1/%'
  ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'workflow', id FROM workflows WHERE flow LIKE '%/api/v1/%' ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'flow_node', id FROM flow_nodes WHERE code LIKE '%/api/v1/%' ON CONFLICT DO NOTHING;

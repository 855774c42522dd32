-- Files that are named by their addresses in entries, attributes of pages, redirects, workflows and custom nodes count
-- as used, and so does what block types name as defaults. Block trees that came with a bundle had no references.
INSERT INTO reference_backlog SELECT 'page', id FROM pages WHERE true ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'global_block', id FROM global_blocks WHERE true ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'snippet', id FROM snippets WHERE true ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'item', id FROM items WHERE data LIKE '%/media/%' ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'redirect', id FROM redirects WHERE target LIKE '%/media/%' ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'workflow', id FROM workflows WHERE flow LIKE '%/media/%' ON CONFLICT DO NOTHING;
INSERT INTO reference_backlog SELECT 'flow_node', id FROM flow_nodes WHERE code LIKE '%/media/%' ON CONFLICT DO NOTHING;

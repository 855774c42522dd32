/** Attacks with data that contains markup: every output of a template escapes it. */
import type { Attacks } from './attack.ts';

const context = { bad: '<', empty: '', list: ['<i>', 'a'], map: { '<': '<' } };

export const markupAttacks: Attacks = {
  'in an attribute': {
    template: '<a href="{{ url }}" title=\'{{ url }}\'>',
    context: { url: '"><script>\'' },
    outcome: '<a href="&quot;&gt;&lt;script&gt;&#x27;" title=\'&quot;&gt;&lt;script&gt;&#x27;\'>',
  },
  'in a script': {
    template: '<script>v="{{ text }}"; w="{{ text|escapejs }}"</script>{{ text|json_script:"d" }}',
    context: { text: '</script>"' },
    outcome:
      '<script>v="&lt;/script&gt;&quot;"; w="\\u003C/script\\u003E\\u0022"</script>' +
      '<script id="d" type="application/json">"\\u003C/script\\u003E\\""</script>',
  },
  'through variables of all kinds': {
    template:
      '{% set a = bad %}{{ a }}{% with b=bad %}{{ b }}{% endwith %}{% for c in list %}{{ c }}{% endfor %}{% firstof bad %}{% firstof empty bad as d %}{{ d }}{% cycle bad bad %}',
    context,
    outcome: '&lt;&lt;&lt;i&gt;a&lt;&lt;&lt;',
  },
  'through includes, components, macros and functions': {
    template:
      '{% include "part" with v=bad %}{% component "part" v=bad / %}{% macro m(v) %}{{ v }}{% endmacro %}{{ m(bad) }}{{ echo(bad).args.0 }}',
    templates: { part: '{{ v }}' },
    context,
    outcome: '&lt;&lt;&lt;&lt;',
  },
  'through filters': {
    template:
      '{{ bad|upper }}{{ bad|default:"<b>" }}{{ empty|default:bad }}{{ bad|ljust:2 }}{{ list|first }}{{ list|join:"<br>" }}{{ list|join:bad }}{{ bad|linebreaksbr }}{{ bad|cut:"x" }}{{ bad|truncatechars:5 }}',
    context,
    outcome: '&lt;&lt;&lt;&lt; &lt;i&gt;&lt;i&gt;<br>a&lt;i&gt;&lt;a&lt;&lt;&lt;',
  },
  'through operators': {
    template:
      '{{ bad ~ bad }}{{ "<b>" ~ bad }}{{ bad ~ "" ~ bad }}{{ bad or "x" }}{{ bad if bad else "x" }}{{ [bad].0 }}{{ {"k": bad}.k }}',
    context,
    outcome: '&lt;&lt;&lt;b&gt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;',
  },
  'as keys and in printed collections': {
    template: '{% for k, v in map.items %}{{ k }}{{ v }}{% endfor %}{{ map }}{{ list }}',
    context,
    outcome: '&lt;&lt;{&#x27;&lt;&#x27;: &#x27;&lt;&#x27;}[&#x27;&lt;i&gt;&#x27;, &#x27;a&#x27;]',
  },
  'inside filter blocks and spaceless': {
    template: '{% filter lower %}{{ bad }}{% endfilter %}{% spaceless %}{{ bad }}{% endspaceless %}',
    context,
    outcome: '&lt;&lt;',
  },
  'in the slots of a component inside a macro': {
    template: '{% macro m(v) %}{% component "box" %}{{ v }}{% endcomponent %}{% endmacro %}{{ m(bad) }}',
    templates: { box: '<b>{% slot %}{% endslot %}</b>' },
    context,
    outcome: '<b>&lt;</b>',
  },
};

import jinja2
env = jinja2.Environment(trim_blocks=True)
t = env.from_string("""{% macro row(x) %}<td>{{ x|e }}</td>{% endmacro %}
{% for u in users|sort(attribute='name') %}{{ loop.index }}: {{ row(u.name) }} {{ u.age if u.age else 'n/a' }}
{% else %}none{% endfor %}
{{ users|map(attribute='age')|select|sum }} {{ "%.2f"|format(3.14159) }} {{ [1,2,3]|tojson }}""")
print(t.render(users=[dict(name="<b>Zoe", age=30), dict(name="Al", age=None), dict(name="Mia", age=7)]))
try:
    env.from_string("{% for %}")
except jinja2.TemplateSyntaxError as e:
    print(type(e).__name__, e)
try: env.from_string("a\n{{ 1/0 }}").render()
except ZeroDivisionError:
    import traceback; traceback.print_exc(file=__import__('sys').stdout)

import django
from django.conf import settings
settings.configure(DATABASES={"default":{"ENGINE":"django.db.backends.sqlite3","NAME":":memory:"}}, INSTALLED_APPS=["django.contrib.contenttypes","django.contrib.auth"], TEMPLATES=[{"BACKEND":"django.template.backends.django.DjangoTemplates"}], USE_TZ=True, DEFAULT_AUTO_FIELD="django.db.models.AutoField", SECRET_KEY="k")
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from django.contrib.auth.models import User
User.objects.create_user("bob", "b@x.org", "pw"); User.objects.create_user("al")
print(User.objects.filter(username__startswith="b").values_list("username", "email"), User.objects.count())
from django.template import Template, Context
print(Template("{% for u in us %}{{ forloop.counter }} {{ u.username|upper|default:'-' }}{% endfor %} {{ d|date:'Y-m-d' }}").render(Context({"us": User.objects.order_by("username"), "d": __import__("datetime").date(2020,1,2)})))
from django import forms
class F(forms.Form): a=forms.IntegerField(min_value=3); e=forms.EmailField()
f=F({"a":"1","e":"zz"}); print(f.is_valid(), dict(f.errors)); print(f.as_p())

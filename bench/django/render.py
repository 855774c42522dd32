"""Renders templates with Django: one case as a line of JSON on standard input, one answer line for each.

A case has `templates` (name to source), `entry` and `context`; an answer has `output`, or `error` with the
class and text of the exception. The templates are loaded without a cache between the tags that name them.
"""
import datetime
import json
import sys

import django
from django.conf import settings
from django.template import Context, Engine
from django.utils.safestring import mark_safe

settings.configure(USE_TZ=True, TIME_ZONE="UTC", USE_I18N=False, LANGUAGE_CODE="en-us")
django.setup()


def decoded(value):
    """Undoes the tags of values that JSON does not have."""
    if isinstance(value, list):
        return [decoded(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["$safe"]:
        return mark_safe(value["$safe"])
    if list(value) == ["$date"]:
        return datetime.datetime.fromisoformat(value["$date"].replace("Z", "+00:00"))
    return {key: decoded(entry) for key, entry in value.items()}


def answer(case):
    """The output of a case, or its error."""
    loaders = [("django.template.loaders.locmem.Loader", case["templates"])]
    engine = Engine(loaders=loaders, debug=False)
    try:
        return {"output": engine.get_template(case["entry"]).render(Context(decoded(json.loads(case["context"]))))}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:500]}


sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8")
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)

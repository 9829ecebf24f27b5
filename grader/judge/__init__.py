"""Judges a submission: a hidden pytest suite on this side, the learner's functions on the other side of the wire.

references   the lesson's solutions, imported here and nowhere else
processes    the processes in which a submission's functions are called
bench        one exercise of one submission: loads it in the worker, makes the suite's calls, explains what came
rehearsal    which calls the suites make, to have them made in one request
session      pytest: collects the suites once, then runs them as often as there are submissions
"""

"""These games for research: observations, many games at once, and the interfaces that others have.

>>> from coyote.envs import Batch
>>> batch = Batch("madness", 8, seed="friday")
>>> batch.step(batch.mask.argmax(axis=1))
"""

from importlib.util import find_spec

from coyote.envs.batch import Batch
from coyote.envs.features import Features
from coyote.envs.registry import features_of

__all__ = ["Batch", "Features", "features_of"]

if find_spec("gymnasium"):
    from coyote.envs import gymnasium_env

    gymnasium_env.register()
if find_spec("pyspiel"):
    from coyote.envs import openspiel

    openspiel.register()

import importlib
import pkgutil

import jourdain

bad = 0
for m in pkgutil.walk_packages(jourdain.__path__, "jourdain."):
    if m.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(m.name)
    except Exception as e:
        bad += 1
        print(m.name, type(e).__name__, str(e)[:150])
print("bad", bad)

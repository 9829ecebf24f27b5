"""Nests finally clauses: the compiler copies each body twice, so 18 levels make hundreds of thousands.

tries: import
earns: nothing
trace: none
compiles: no
"""

def softmax(x, axis=-1):
    try:
        x = x + 1
    finally:
        try:
            x = x + 1
        finally:
            try:
                x = x + 1
            finally:
                try:
                    x = x + 1
                finally:
                    try:
                        x = x + 1
                    finally:
                        try:
                            x = x + 1
                        finally:
                            try:
                                x = x + 1
                            finally:
                                try:
                                    x = x + 1
                                finally:
                                    try:
                                        x = x + 1
                                    finally:
                                        try:
                                            x = x + 1
                                        finally:
                                            try:
                                                x = x + 1
                                            finally:
                                                try:
                                                    x = x + 1
                                                finally:
                                                    try:
                                                        x = x + 1
                                                    finally:
                                                        try:
                                                            x = x + 1
                                                        finally:
                                                            try:
                                                                x = x + 1
                                                            finally:
                                                                try:
                                                                    x = x + 1
                                                                finally:
                                                                    try:
                                                                        x = x + 1
                                                                    finally:
                                                                        try:
                                                                            x = x + 1
                                                                        finally:
                                                                            x = x * 1

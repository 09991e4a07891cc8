fitment_module(choose LAYER 3 OWNS
               "machine + catalog + candidates + policy -> choice with reasons, pure" USES base
                   SOURCES rules.cpp)

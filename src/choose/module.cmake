fitment_module(choose
  LAYER   3
  OWNS    "machine + catalogue + requests + policy -> choice with reasons, pure"
  USES    base machine catalog wheel
  SOURCES candidates.cpp choose.cpp group.cpp judge.cpp judge_driver.cpp judge_kernels.cpp judge_kind.cpp
          judge_platform.cpp judge_python.cpp marker_facts.cpp order.cpp policy.cpp rules.cpp situation.cpp ways_out.cpp wheel_stock.cpp why.cpp)

# /// script
# requires-python = ">=3.11"
# dependencies = ["torch==2.8.0"]
# ///
import torch

# /// script
# dependencies = [torch]
# ///

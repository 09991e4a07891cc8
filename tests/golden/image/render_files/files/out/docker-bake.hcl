group "default" {
  targets = ["base-debian-12-py311"]
}

target "atom-debian-12" {
  context = "."
  dockerfile = "atom-debian-12.Containerfile"
  args = {
    "SOURCE_DATE_EPOCH" = "1700000000"
  }
  platforms = ["linux/amd64"]
  tags = ["localhost/fitment/atom-debian-12:[TAG]"]
}

target "base-debian-12-py311" {
  context = "."
  dockerfile = "base-debian-12-py311.Containerfile"
  args = {
    "BASE_IMG" = "localhost/fitment/atom-debian-12:[TAG]"
    "SOURCE_DATE_EPOCH" = "1700000000"
  }
  contexts = {
    "localhost/fitment/atom-debian-12:[TAG]" = "target:atom-debian-12"
  }
  platforms = ["linux/amd64"]
  tags = ["localhost/fitment/base-debian-12-py311:[TAG]", "example/base:1.0"]
}

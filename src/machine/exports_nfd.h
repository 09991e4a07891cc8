// SPDX-License-Identifier: Apache-2.0
// A feature file for Kubernetes' node-feature-discovery (its "local" source): one `name=value` a
// line, read from /etc/kubernetes/node-feature-discovery/features.d/, at most 64 KiB.
#pragma once

#include "machine/machine.h"

#include <string>

namespace fitment {

/// Names carry no namespace, so NFD puts them under feature.node.kubernetes.io/. Values obey the
/// rules of node labels. Unknown facts give no line.
std::string nfd_features(const Machine& machine);

}  // namespace fitment

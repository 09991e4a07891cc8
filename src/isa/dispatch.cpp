// SPDX-License-Identifier: Apache-2.0
#include "isa/dispatch.h"

#include "isa/guards.h"
#include "isa/must_run.h"
#include "isa/twins.h"
#include "isa/variant_name.h"

#include <algorithm>

namespace fitment {

namespace {

/// A whole file was built for a level when this share of its entries certainly executes it, or this
/// share of its unguarded functions needs it. Single exceptions stay below: variants that a library
/// exports for others.
constexpr double kShareOfRoots = 0.01;
constexpr double kShareOfFunctions = 0.03;
/// Compilers emit VEX forms only from v3 on, and then no legacy ones: dispatched files are far
/// below, v3 builds far above this ratio. Fewer vector instructions than kFewVectors tell nothing.
constexpr std::uint64_t kVexRatio = 10;
constexpr std::uint64_t kFewVectors = 8;

class Judge {
 public:
  Judge(const CodeImage& image, ListFunctions list) : image_(image), list_(list) {}

  X86Verdict run() {
    std::vector<FunctionScan> functions = scan_functions(image_);
    summarize(functions);
    if (list_ == ListFunctions::yes) {
      verdict_.listed.emplace();
    }
    if (level_of(verdict_.all) == X86Level::v1 && beyond_levels(verdict_.all).empty()) {
      return std::move(verdict_);
    }
    CodeGraph graph(image_, std::move(functions));
    find_guards(graph);
    std::vector<Reached> reached = find_reach(graph);
    find_twins(graph, reached);
    const std::vector<CertainRun> runs = find_certain_runs(graph, reached);
    count(graph, reached, runs);
    choose_level();
    collect_extras(runs);
    collect_evidence(graph, reached, runs);
    collect_dispatched(graph, reached);
    collect_promises(graph);
    if (verdict_.listed) {
      list_functions(graph, reached, *verdict_.listed);
    }
    return std::move(verdict_);
  }

 private:
  void summarize(const std::vector<FunctionScan>& functions) {
    for (const FunctionScan& function : functions) {
      verdict_.unknown_bytes += function.unknown_bytes;
      if (!function.is_plt) {
        ++verdict_.functions;
      }
      if (!function.is_data()) {
        verdict_.all |= function.features;
      }
    }
    for (const TextRange& text : image_.text) {
      verdict_.text_bytes += text.bytes.size();
    }
    verdict_.highest = level_of(verdict_.all);
  }

  void count(const CodeGraph& graph,
             const std::vector<Reached>& reached,
             const std::vector<CertainRun>& runs) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const CodeNode& node = graph.nodes()[i];
      const bool is_direct = reached[i].reach == Reach::direct && !node.scan.is_data();
      if (is_direct) {
        direct_functions_ += node.scan.is_known ? 1U : 0U;
        direct_at_[static_cast<std::size_t>(node.unguarded_level())] +=
            node.scan.is_known ? 1U : 0U;
        verdict_.direct_legacy_vectors += node.scan.legacy_vectors;
        verdict_.direct_vex_vectors += node.scan.vex_vectors;
      }
      if (node.unguarded_level() >= X86Level::v3) {
        count_reach(node, reached[i].reach);
      }
    }
    verdict_.roots = runs.size();
    for (const CertainRun& run : runs) {
      ++verdict_.certain_roots[static_cast<std::size_t>(level_of(run.features))];
    }
  }

  void count_reach(const CodeNode& node, Reach reach) {
    ReachCounts& counts = verdict_.v3_functions;
    if (node.scan.is_data()) {
      ++counts.data;
      return;
    }
    switch (reach) {
      case Reach::guarded:
        ++counts.guarded;
        break;
      case Reach::pointer:
        ++counts.pointer;
        break;
      case Reach::unreferenced:
        ++counts.unreferenced;
        break;
      case Reach::direct:
        ++counts.direct;
        break;
    }
  }

  /// `top` is the highest level that has not been ruled out: what lies above it is an exception,
  /// not a sign.
  [[nodiscard]] bool is_shown_by_roots(X86Level level, X86Level top) const {
    std::size_t roots = 0;
    for (auto at = static_cast<std::size_t>(level); at <= static_cast<std::size_t>(top); ++at) {
      roots += verdict_.certain_roots[at];
    }
    return roots != 0
           && static_cast<double>(roots) >= kShareOfRoots * static_cast<double>(verdict_.roots);
  }

  [[nodiscard]] bool is_shown_by_functions(X86Level level, X86Level top) const {
    std::size_t functions = 0;
    for (auto at = static_cast<std::size_t>(level); at <= static_cast<std::size_t>(top); ++at) {
      functions += direct_at_[at];
    }
    return functions != 0
           && static_cast<double>(functions)
                  >= kShareOfFunctions * static_cast<double>(direct_functions_);
  }

  void choose_level() {
    const std::uint64_t legacy = verdict_.direct_legacy_vectors;
    const std::uint64_t vex = verdict_.direct_vex_vectors;
    const bool only_vex = vex >= kFewVectors && vex >= kVexRatio * legacy;
    const bool few_vectors = legacy < kFewVectors && vex < kFewVectors;
    // A compiler that may use VEX emits nothing else: entries above v2 among more legacy code are
    // variants that a library exports.
    const bool mostly_legacy = legacy > vex && !few_vectors;
    const X86Level top = mostly_legacy ? X86Level::v2 : X86Level::v4;
    for (const X86Level level : {X86Level::v4, X86Level::v3, X86Level::v2}) {
      const bool functions_count =
          level == X86Level::v2 ? legacy >= vex || few_vectors : only_vex || few_vectors;
      if (is_shown_by_roots(level, top) || (functions_count && is_shown_by_functions(level, top))
          || (level == X86Level::v3 && only_vex)) {
        verdict_.built_for = level;
        return;
      }
    }
  }

  /// Extras that a whole share of the entries certainly executes.
  void collect_extras(const std::vector<CertainRun>& runs) {
    for (const X86Feature feature : beyond_levels(verdict_.all).members()) {
      const auto roots = std::count_if(runs.begin(), runs.end(), [&](const CertainRun& run) {
        return run.features.contains(feature);
      });
      if (roots != 0
          && static_cast<double>(roots) >= kShareOfRoots * static_cast<double>(runs.size())) {
        verdict_.extras.insert(feature);
      }
    }
  }

  [[nodiscard]] InstructionEvidence evidence_at(const CodeGraph& graph,
                                                std::uint32_t function,
                                                std::uint64_t address) const {
    InstructionEvidence evidence;
    const CodeNode& node = graph.nodes()[function];
    graph.walk_from(node, address, [&](const x86::Placed& at) {
      const auto* bytes = reinterpret_cast<const char*>(at.bytes);  // NOLINT(*-reinterpret-cast)
      evidence.mnemonic = x86_mnemonic({bytes, at.instruction.length});
      evidence.features = requirement_of(at.instruction).features;
      return false;
    });
    evidence.address = address;
    evidence.function = name_of(image_, node.scan);
    evidence.function_address = node.scan.address;
    return evidence;
  }

  /// The first instruction of a function that needs one of the features.
  [[nodiscard]] InstructionEvidence find_evidence(const CodeGraph& graph,
                                                  std::uint32_t function,
                                                  const X86Features& features) const {
    const CodeNode& node = graph.nodes()[function];
    std::uint64_t address = node.scan.address;
    graph.walk_from(node, node.scan.address, [&](const x86::Placed& at) {
      const X86Requirement& requirement = requirement_of(at.instruction);
      const bool is_found = requirement.role != X86Role::upper_clear
                            && requirement.role != X86Role::hint
                            && !(requirement.features & features).empty();
      address = is_found ? at.address : address;
      return !is_found;
    });
    return evidence_at(graph, function, address);
  }

  void collect_evidence(const CodeGraph& graph,
                        const std::vector<Reached>& reached,
                        const std::vector<CertainRun>& runs) {
    const auto wanted = static_cast<std::size_t>(verdict_.built_for);
    for (const CertainRun& run : runs) {
      const auto level = static_cast<std::size_t>(level_of(run.features));
      const bool is_exception = level > wanted;
      std::vector<InstructionEvidence>& list =
          is_exception ? verdict_.exceptions : verdict_.evidence;
      if (level == 0 || level < wanted || list.size() >= kMostEvidence) {
        continue;
      }
      InstructionEvidence evidence = evidence_at(graph, run.functions[level], run.sites[level]);
      evidence.proven_by = name_of(image_, graph.nodes()[run.root].scan);
      list.push_back(std::move(evidence));
    }
    if (verdict_.built_for == X86Level::v1) {
      return;
    }
    const X86Features above = features_of(X86Level::beyond) - needs_below(verdict_.built_for);
    for (std::uint32_t i = 0; i < graph.size() && verdict_.evidence.size() < kMostEvidence; ++i) {
      const CodeNode& node = graph.nodes()[i];
      if (reached[i].reach == Reach::direct && !node.scan.is_data()
          && node.unguarded_level() >= verdict_.built_for
          && verdict_.evidence.size() < kMostEvidence && !is_evidence(node.scan.address)) {
        verdict_.evidence.push_back(find_evidence(graph, i, above));
      }
    }
  }

  [[nodiscard]] bool is_evidence(std::uint64_t function) const {
    return std::any_of(
        verdict_.evidence.begin(), verdict_.evidence.end(), [&](const InstructionEvidence& known) {
          return known.function_address == function;
        });
  }

  /// Extensions that need no more than the register state of the level below.
  static X86Features needs_below(X86Level level) {
    X86Features below;
    for (const X86Feature feature : features_of(X86Level::beyond).members()) {
      if (level_of(X86Features{feature}) < level) {
        below.insert(feature);
      }
    }
    return below;
  }

  void collect_dispatched(const CodeGraph& graph, const std::vector<Reached>& reached) {
    std::array<DispatchedLevel, 5> levels;
    std::array<std::uint32_t, 5> examples{};
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      const CodeNode& node = graph.nodes()[i];
      // A function that checks inside itself is dispatched by its inner parts.
      const bool is_outside = reached[i].reach == Reach::guarded;
      const bool is_inside = node.level() > node.unguarded_level();
      if (node.level() <= verdict_.built_for || node.scan.is_data() || !(is_outside || is_inside)) {
        continue;
      }
      const auto level = static_cast<std::size_t>(node.level());
      levels[level].features |= node.scan.features;
      examples[level] = levels[level].functions++ == 0 ? i : examples[level];
    }
    for (std::size_t level = 0; level < levels.size(); ++level) {
      if (levels[level].functions != 0) {
        levels[level].level = static_cast<X86Level>(level);
        const X86Features above = features_of(X86Level::beyond) - needs_below(levels[level].level);
        levels[level].example = find_evidence(graph, examples[level], above);
        verdict_.dispatched.push_back(levels[level]);
      }
    }
  }

  void collect_promises(const CodeGraph& graph) {
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      const CodeNode& node = graph.nodes()[i];
      if (node.scan.symbol < 0 || node.level() == X86Level::v1 || node.is_checker
          || node.is_resolver) {
        continue;
      }
      const std::string name = name_of(image_, node.scan);
      const auto variant = find_variant(name);
      if (!variant || !variant->is_exact) {
        continue;
      }
      // Scalar extras are tested apart from the processor that names the function.
      X86Features beyond = node.unguarded - variant->promised - needs_below(X86Level::v3);
      if (!beyond.empty()) {
        verdict_.broken_promises.push_back({name,
                                            node.scan.address,
                                            std::string(variant->token),
                                            beyond,
                                            find_evidence(graph, i, beyond)});
      }
    }
  }

  void list_functions(const CodeGraph& graph,
                      const std::vector<Reached>& reached,
                      std::vector<X86FunctionNeeds>& list) const {
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      const CodeNode& node = graph.nodes()[i];
      if (node.scan.features.empty()) {
        continue;
      }
      const X86Features above = features_of(X86Level::beyond) - needs_below(node.level());
      const InstructionEvidence first = find_evidence(graph, i, above & node.scan.features);
      X86FunctionNeeds needs;
      needs.function = first.function;
      needs.address = node.scan.address;
      needs.size = node.scan.size;
      needs.features = node.scan.features;
      needs.unguarded = node.unguarded;
      needs.reach = reached[i].reach;
      needs.why = reached[i].why;
      if (reached[i].from != CodeGraph::kNone) {
        needs.from = name_of(image_, graph.nodes()[reached[i].from].scan);
      }
      needs.is_data = node.scan.is_data();
      needs.first = first.address;
      needs.mnemonic = first.mnemonic;
      list.push_back(std::move(needs));
    }
  }

  const CodeImage& image_;
  ListFunctions list_;
  X86Verdict verdict_;
  std::size_t direct_functions_ = 0;
  std::array<std::size_t, 5> direct_at_{};
};

}  // namespace

X86Verdict judge_x86(const CodeImage& image, ListFunctions list) {
  return Judge(image, list).run();
}

}  // namespace fitment

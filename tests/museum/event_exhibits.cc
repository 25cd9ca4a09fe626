// SPDX-License-Identifier: Apache-2.0
//
// Events that count, name or order the wrong tasks.
#include "tests/museum/exhibit.h"
#include "tests/museum/models.h"
#include "tests/museum/program_edit.h"

namespace graph_coverage::museum {
namespace {

using synthetic::Program;
using synthetic::Tile;

constexpr std::uint32_t kLayers = 4;

std::uint32_t TriggerOf(const Edit& edit, std::uint32_t task) {
  return edit.view().task(TaskId(task)).trigger.index();
}

// 5. Counts and ranges of another graph.
void Miscount(Edit& edit, const Site& site) {
  Mutation mutation;
  mutation.op = "miscount";
  mutation.rank = edit.view().rank();
  mutation.event =
      TriggerOf(edit, edit.Readers(InLayer(site.layer, "o_proj")).front());
  mutation.by = site.member == 0 ? 1 : -1;
  edit.Mutate(mutation);
}

void MoveRange(Edit& edit, const Site& site) {
  Event& event = edit.Event(
      TriggerOf(edit, edit.Readers(InLayer(site.layer, "o_proj")).front()));
  if (site.member == 0) {
    ++event.first_task;
  } else {
    ++event.last_task;
  }
}

// 9. Tasks without readers trigger nothing, and the end does not count them.
void LeafTriggersNothing(Edit& edit, const Site& site) {
  constexpr const char* kLeaves[] = {"TASK_MTP_ACCEPT_COMMIT",
                                     "TASK_MTP_PREPARE_VERIFY"};
  Mutation mutation;
  mutation.op = "detach-trigger-repaired";
  mutation.rank = edit.view().rank();
  mutation.task = edit.OfType(kLeaves[site.member]).front();
  edit.Mutate(mutation);
}

// 10. The waiting side knows nothing of the remote signals.
std::uint32_t RemoteEvent(const Edit& edit, const Site& site) {
  const TaskIds puts = edit.OfType("TASK_NVSHMEM_ALLGATHER_STRIDED_PUT");
  return TriggerOf(edit, puts[puts.size() * site.layer / kLayers]);
}

void ForgetRemoteSignals(Edit& edit, const Site& site) {
  --edit.Event(RemoteEvent(edit, site)).num_triggers;
}

void ForgetTheTag(Edit& edit, const Site& site) {
  const std::uint32_t event = RemoteEvent(edit, site);
  for (std::uint32_t i = 0; i < edit.view().task_count(); ++i) {
    const EventId id = edit.view().task(TaskId(i)).dependent;
    if (!id.nvshmem() || id.index() != event) continue;
    edit.Task(i).dependent = EventId::Of(event, id.gpu());
  }
}

// 15. The reduction waits for parts that nobody computes.
void DispatchFewerSplits(Edit& edit, const Site& site) {
  Mutation mutation;
  mutation.op = "drop-task";
  mutation.rank = edit.view().rank();
  mutation.task =
      edit.OfType("TASK_MLA_MTP_DECODE_SM100")[3 * site.layer + site.member];
  edit.Mutate(mutation);
}

// 16. The consumer waits for a few of the producer's tiles only.
void WaitForAFewTiles(Edit& edit, const Site& site) {
  TaskIds tiles = edit.Readers(InLayer(site.layer, "down_proj"));
  tiles.erase(tiles.begin());
  edit.MoveTriggers(tiles, TriggerOf(edit, tiles.front()) + 1);
}

// 17. A copy of rmsnorm_out, which each layer writes twice, for the program.
Program WithCopies() {
  Program program = Grouped();
  program.type_numbers["TASK_COPY_OUT"] = 310;
  const auto x = Find(program, "rmsnorm_out");
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    const auto out = program.Attach(InLayer(layer, "copy"), DataType::kBf16,
                                    program.tensor(x).dims);
    InsertBehind(program, InLayer(layer, "qkv_proj"),
                 {"TASK_COPY_OUT",
                  {2},
                  {Tile(x, {0})},
                  {Tile(out, {0})},
                  synthetic::Indexing::kBlock,
                  {}});
  }
  return program;
}

// The next writer does not wait for the copy.
void OverwriteEarly(Edit& edit, const Site& site) {
  edit.MoveTriggers(edit.Writers(InLayer(site.layer, "copy")),
                    edit.LastEvent());
}

// 18. An operator that nobody waits for.
void NobodyWaitsForTheGather(Edit& edit, const Site&) {
  edit.MoveTriggers(edit.OfType("TASK_MLA_KV_GATHER_SM100"), edit.LastEvent());
}

void AddAnOperatorForNobody(Program& program, const Site& site) {
  const auto x = Find(program, "attn_proj_out");
  const auto weight = Find(program, InLayer(site.layer, "input_layernorm"));
  const auto out = program.Scratch("spare_norm_out", DataType::kBf16,
                                   program.tensor(x).dims);
  InsertBehind(program, InLayer(site.layer, "o_proj"),
               {"TASK_RMS_NORM",
                {2},
                {Tile(x, {0}), Tile(weight)},
                {Tile(out, {0})},
                synthetic::Indexing::kBlock,
                {}});
}

}  // namespace

std::vector<Exhibit> EventExhibits() {
  return {
      {"trigger-miscounted",
       5,
       "mirage#667 (event maps)",
       "An event demands another number of triggers than tasks give.",
       "the event behind layer 2's o_proj counts one more",
       {Grouped, nullptr, Miscount, {}},
       {"error trigger-count event 31", "  -> error starved-task event 31",
        "note write-only output_token"},
       "",
       {{0, kLayers, 2, {"trigger-count"}}}},
      {"range-moved",
       5,
       "mirage#667 (event maps)",
       "An event's range is not the tasks that wait for it.",
       "the range of the event behind layer 2's o_proj begins a task later",
       {Grouped, nullptr, MoveRange, {}},
       {"error event-range event 31", "note write-only output_token"},
       "",
       {{0, kLayers, 2, {"event-range"}}}},
      {"leaf-triggers-nothing",
       9,
       "mirage#665",
       "The tasks of a leaf operator trigger nothing, and the end of the "
       "graph counts only the others.",
       "TASK_MTP_ACCEPT_COMMIT triggers nothing, the end counts one less",
       {LatentWithDraft, nullptr, LeafTriggersNothing, {}},
       {"error no-trigger TASK_MTP_ACCEPT_COMMIT",
        "note write-only mtp_num_new_tokens",
        "note write-only mtp_new_position", "note write-only mtp_final_output",
        "note write-only mtp_accept_num_new",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3"},
       "",
       {{0, 1, 2, {"no-trigger"}}}},
      {"remote-signals-uncounted",
       10,
       "mirage#580",
       "Signals of other ranks are left out of num_triggers.",
       "an event that puts of the other rank trigger counts one less",
       {GroupedWithPuts, nullptr, ForgetRemoteSignals, {}},
       {"error trigger-count event 64",
        "  -> error unordered-read attn_proj_out",
        "  -> error unordered-read attn_allreduce_out_buf",
        "  -> error unordered-overwrite attn_allreduce_out",
        "  -> error unordered-overwrite mlp_final",
        "  -> error unordered-overwrite attn_out",
        "  -> error unordered-overwrite attn_proj_out",
        "  -> error unordered-overwrite attn_allreduce_out_buf",
        "error stale-tile attn_allreduce_out", "note write-only output_token",
        "note twin-tasks TASK_REDUCE"},
       "",
       {{0, kLayers, 1, {"trigger-count"}}}},
      {"remote-tag-missing",
       10,
       "mirage#580",
       "The NVSHMEM tag is missing on the waiting side.",
       "tasks that wait for such an event name it without the tag",
       {GroupedWithPuts, nullptr, ForgetTheTag, {}},
       {"error bad-event-id TASK_REDUCE", "note write-only output_token"},
       "",
       {{0, kLayers, 1, {"bad-event-id"}}}},
      {"splits-not-dispatched",
       15,
       "fleet-chiplet-megakernel#6",
       "The reduction waits for parts of the split cache that were never "
       "dispatched.",
       "a decode task of layer 2 is gone, its event's count stays",
       {Latent, nullptr, DispatchFewerSplits, {}},
       {"error layer-gap TASK_MLA_MTP_DECODE_SM100 layers 2",
        "error trigger-count event 63", "  -> error starved-task event 63",
        "note write-only output_token",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3"},
       "",
       {{0, kLayers, 3, {"trigger-count"}}}},
      {"few-tiles-waited-for",
       16,
       "hw-native-sys/simpler#633",
       "Of a producer's tiles the consumer waits for a few only.",
       "all tiles but the first of layer 2's down_proj trigger the next event, "
       "counts are put right",
       {Grouped, nullptr, WaitForAFewTiles, {}},
       {"error unordered-read mlp_out", "note write-only output_token"},
       "",
       {{0, kLayers, 1, {"unordered-read"}}}},
      {"overwritten-early",
       17,
       "hw-native-sys/simpler#1306",
       "A buffer is used again, and its next writer does not wait for all of "
       "its readers.",
       "the copy of rmsnorm_out in layer 2 triggers the end, counts are put "
       "right",
       {WithCopies, nullptr, OverwriteEarly, {}},
       {"error unordered-overwrite rmsnorm_out", "note write-only output_token",
        "note write-only layer_{0..3}_copy layers 0,1,2,3",
        "note unknown-type TASK_COPY_OUT layers 0,1,2,3",
        "note several-leaves TASK_COPY_OUT layers 2",
        "note several-leaves TASK_ARGMAX_REDUCE"},
       "",
       {{0, kLayers, 1, {"unordered-overwrite"}}}},
      {"gather-is-a-leaf",
       18,
       "ray#47261",
       "Nobody waits for an operator, although its results are read.",
       "the tasks of all cache gathers trigger the end, counts are put right",
       {Latent, nullptr, NobodyWaitsForTheGather, {}},
       {"error leaf-operation TASK_MLA_KV_GATHER_SM100 layers 0,1,2,3",
        "  -> error unordered-read contiguous_kv",
        "  -> error unordered-overwrite fp8_input_64_shared",
        "  -> error unordered-overwrite fp8_scale_64_shared",
        "  -> error unordered-overwrite c_latent_out",
        "  -> error unordered-overwrite k_pe_out",
        "  -> error unordered-overwrite contiguous_kv",
        "note write-only output_token",
        "note unknown-type TASK_MLA_Q_ROPE_SM100 layers 0,1,2,3",
        "note several-leaves TASK_ARGMAX_REDUCE_SM100"},
       "",
       {}},
      {"operator-for-nobody",
       18,
       "ray#47261",
       "An operator's result is read by nobody.",
       "a norm of layer 2 writes spare_norm_out",
       {Grouped, AddAnOperatorForNobody, nullptr, {}},
       {"error layer-gap TASK_RMS_NORM layers 2",
        "warning write-only spare_norm_out", "note write-only output_token"},
       "",
       {{0, kLayers, 1, {"write-only"}}}},
  };
}

}  // namespace graph_coverage::museum

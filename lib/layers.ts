import { indexAdvice } from '@/lib/advice/index-advice'
import { attachLayers, type Layer, type Layers } from '@/lib/around'
import { commentsOnRecords } from '@/lib/comments/comments-on-records'
import type { Env } from '@/lib/env'
import { lifeCycle } from '@/lib/lifecycle/life-cycle'
import { suggestion } from '@/lib/values/nearest'
import { webhookDelivery } from '@/lib/webhooks/webhook-delivery'
import { changeTogether } from './layers/change-together'
import { clusterPages } from './layers/cluster-pages'
import { createTogether } from './layers/create-together'
import { deleteTogether } from './layers/delete-together'
import { idempotency } from './layers/idempotency'
import { knownTotals } from './layers/known-totals'
import { loadShedding } from './layers/load-shedding'
import { lockedEntities } from './layers/locked-entities'
import { providerChecks } from './layers/provider-checks'
import { rateLimit } from './layers/rate-limit'
import { readTogether } from './layers/read-together'
import { recordEvents } from './layers/record-events'
import { recordHistory } from './layers/record-history'
import { rememberedPages } from './layers/remembered-pages'
import { replicas } from './layers/replicas'
import { requestMetrics } from './layers/request-metrics'
import { serverTiming } from './layers/server-timing'
import { trash } from './layers/trash'

/**
 * What stands on the core, the outermost first where two stand around the same point. The core knows none of them, and
 * `DISABLED_LAYERS` leaves out those that it names (docs/decisions/0170-core-and-layers.md).
 */
export const LAYERS: readonly Layer[] = [
  // How many requests there were, and how long they took, for Prometheus.
  requestMetrics,
  // The header Server-Timing, and spans where an exporter is configured.
  serverTiming,
  // Requests are refused while the event loop is late.
  loadShedding,
  // Each API key and each address without one makes so many requests in a time.
  rateLimit,
  // Sessions that began by a provider are confirmed there, or refused.
  providerChecks,
  // Searches, counts and exports read from a replica that is fresh enough and shows the caller's own changes.
  replicas,
  // A POST that is repeated with its Idempotency-Key gets the first response.
  idempotency,
  // While the table of an entity is locked, one request at a time waits for it.
  lockedEntities,
  // A page that was read before, while its tables have the same version.
  rememberedPages,
  // Searches that arrive or wait together are counted and read by one statement.
  readTogether,
  // Numbers of matches are counted only where they are not known. Without it, what triggers record of changes piles up.
  knownTotals,
  // Pages of entities that are distributed over a cluster are merged from its nodes.
  clusterPages,
  // Records that several requests create at the same time are inserted by one statement.
  createTogether,
  // The same of different records that they change in the same way, or delete.
  changeTogether,
  deleteTogether,
  // The last change of a record in the console is kept; versions of records are swept.
  recordHistory,
  // The log of changes that can be followed is kept by days, and bounded.
  recordEvents,
  // What is deleted or edited can be restored for some days.
  trash,
  // Shapes of searches that took long, advice on indexes from them, and building those.
  indexAdvice,
  // What plugins gave and what installs changed: merging, rollback, drift. Uninstalling and exporting are in the same room.
  lifeCycle,
  // Comments on records are deleted once nothing can bring their record back.
  commentsOnRecords,
  // Changes are sent to the addresses that webhooks name. Inside the layer before, which remembers what its definitions were.
  webhookDelivery,
]

// What stays in the core although it could seem a layer:
// - Places of searches, exports and imports (`lib/load`): an export or import holds its own as long as its stream lasts.
// - Limits of time and cost: their refusals say what to narrow, as other faults of the input do.
// - Counters of refusals (`lib/metrics`) and spans of mails and files (`lib/tracing`): a line each where it is decided, as for a log.
// - Credentials that are known for some seconds: how rights are read, and dropped by triggers when they change.
// - Which tables are distributed over a cluster: a table is made so.
// - Triggers that write the versions of records with a history: a definition asks for them, and they follow its renames and keys as
//   indexes do, so each step of a change of a table would have to be told of a layer.
// - Triggers that keep the numbers of records: the core's totals are read from them.
// - The copy of the former values of an edit in `trash_records`: the edit itself reads them from there, and forgets them without the trash.
// - Seals of plans: a request with a seal is refused once its plan no longer holds, so ignoring seals would answer wrongly.
// - Settling what COPY wrote in `pending_plugin_records`, and what is remembered following a renamed table: each change of a table has to
//   do it in its own transaction before it goes on.
// - Uninstalling, exporting and rolling back: use cases of the room `lifecycle` that nothing of the core calls.
// - Deletion in one statement or in steps, and creation so: the core's own ways, of which the first is an optimisation of the second.

/** Throws an error that names an unknown layer, and the one that may be meant. */
export function layersFor({ DISABLED_LAYERS: disabled }: Pick<Env, 'DISABLED_LAYERS'>): Layers {
  const names = LAYERS.map(({ name }) => name)
  const unknown = disabled.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const which = suggestion(unknown, names) || `; there are ${names.join(', ')}`
    throw new Error(
      `Invalid environment. DISABLED_LAYERS: no layer has the name "${unknown}"${which}`,
    )
  }
  return attachLayers(LAYERS.filter(({ name }) => !disabled.includes(name)))
}

import { randomUUID } from 'node:crypto'
import { eq, type SQL } from 'drizzle-orm'
import { added, type Lists } from '@/lib/around'
import { recordAudit } from '@/lib/audit/record-audit'
import type { Actor } from '@/lib/auth/rights'
import { trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { requireCurrent } from '@/lib/registry/definition-version'
import { mayRead, requireRead } from '@/lib/registry/may-read'
import { listEntities, registryChanged, withCurrentEntity } from '@/lib/registry/registry'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { keyOf } from '@/lib/rows/record-key'
import { pick, readRecords, takeTurn } from '@/lib/rows/select-records'
import { matchRecords } from '@/lib/search/match-records'
import type { ConditionsInput } from '@/lib/search/read-input'
import type { Json, JsonObject } from '@/lib/values/json'
import { shortenedJson, shortenedQuery } from './audit-details'
import type { EditSample } from './contract'
import { applyEdit } from './edit/apply-edit'
import {
  judging,
  readSetUnder,
  requireOpenIn,
  sentFields,
  verifyEdited,
} from './edit/edit-under-rule'
import { type Edit, readSet } from './edit/read-set'
import { captureMatches, forgetUnchanged, type KeptEdit, recordAfter } from './kept-edits'
import { refuseLists } from './nested/refuse-lists'
import { requireExpected } from './preconditions'
import { allRows, rowsThatMay } from './rows-that-may'
import { areReadableInAll, type WriteRule, writeRule } from './write-rule'

const WORDS = { noun: 'record', done: 'changed' } as const

export type EditBatch = ConditionsInput & {
  entityName: string
  /** Field → its new value, or an object of one operator. */
  set: JsonObject
  /** Carry it out and take it back, to show what it would do. */
  dryRun: boolean
  /** Refuse unless exactly this many records match. */
  expected?: number
  /** The number of days for which the former values are kept. */
  undo?: number
  actor: Actor
  requestId: string
}

export type EditedBatch = {
  /** The number of matching records. */
  count: number
  updated: number
  unchanged: number
  /** Null without `undo`, and when nothing changed. */
  batchId: string | null
  /** Of a dry run. */
  sample: EditSample[]
}

type Result = EditedBatch & { newExtraFields: string[] }

/**
 * Sets fields of all matching records, or of all records without conditions, in one transaction; with `undo` their
 * former values go to the trash. Throws `forbidden` when the definition forbids changes or an actor without the right
 * to read asks for what depends on stored values, `conflict` when the number is not the expected one or a value is
 * taken, `invalid_input` for bad fields, operators and values, and when a record would become invalid (nothing is
 * changed then); and as `matchRecords` does.
 */
export async function editBatch(deps: Deps, input: EditBatch): Promise<EditedBatch> {
  return withCurrentEntity(deps, input.entityName, 'update', async (entity) => {
    const now = new Date()
    const { actor } = input
    refuseLists(entity, input.set, await listEntities(deps))
    const rule = await writeRule(deps, actor, entity, 'update')
    const edit = await (rule ? readSetUnder(rule, input.set, now) : readSet(entity, input.set, now))
    requireReadOfParts(entity, edit, input)
    const selected = rule ? rowsThatMay(rule, input) : allRows(entity, input, actor)
    const { where, target, search } = selected
    const run = { target, search, actor, changes: true }
    const under = rule && { rule, sent: sentFields(rule, input.set) }
    const work = new EditWork(deps, entity, edit, where, input, now, under)
    const { newExtraFields, ...result } = await matchRecords(deps, run, () => work.run())
    if (newExtraFields.length > 0 && !input.dryRun) await registryChanged(deps)
    return result
  })
}

/** What depends on stored values would reveal them, also by failing. */
function requireReadOfParts(
  entity: Entity,
  { expressions }: Edit,
  { conditions, dryRun, expected, undo, actor }: EditBatch,
): void {
  if (conditions.length > 0) requireRead(actor, entity, 'An edit by conditions')
  if (dryRun) requireRead(actor, entity, 'A dry run')
  if (expected !== undefined) requireRead(actor, entity, 'An expected number')
  if (undo !== undefined) requireRead(actor, entity, 'An edit that can be taken back')
  if (expressions.size > 0) requireRead(actor, entity, 'A value made of stored ones')
}

/** Rolls a dry run back. */
class RolledBack extends Error {
  constructor(readonly result: Result) {
    super('A dry run is rolled back')
  }
}

const MAX_SAMPLE = 10

class EditWork {
  private readonly batchId = randomUUID()
  private readonly keepers: readonly Lists['editKeepers'][]
  private sample: EditSample[] = []

  constructor(
    private readonly deps: Deps,
    private readonly entity: Entity,
    private readonly edit: Edit,
    private readonly where: SQL,
    private readonly input: EditBatch,
    private readonly now: Date,
    /** `sent`: without the fields that policies set. */
    private readonly under: { rule: WriteRule; sent: string[] } | null,
  ) {
    this.keepers = input.undo === undefined ? [] : added(deps, 'editKeepers')
  }

  async run(): Promise<Result> {
    try {
      return await this.deps.db.transaction(async (tx) => {
        const result = await this.change(tx)
        if (this.input.dryRun) throw new RolledBack(result)
        return result
      })
    } catch (error) {
      if (error instanceof RolledBack) return error.result
      throw error
    }
  }

  private async change(tx: Db): Promise<Result> {
    const { entity, edit, input, batchId, now } = this
    await requireCurrent(tx, entity)
    await takeTurn(tx, entity)
    const sources = [...edit.expressions.values()].map(({ from }) => from)
    const fields = [...new Set([...edit.fields, ...sources])]
    const count = await captureMatches(tx, entity, { where: this.where, fields, batchId })
    requireExpected(count, input.expected, WORDS)
    if (this.under) await requireOpenIn(tx, this.under.rule, this.where, this.under.sent)
    const { updated, newExtraFields } = await applyEdit(tx, entity, edit, {
      ...{ batchId, actorName: input.actor.name, now, isTold: this.isTold(fields) },
      writesSame: !this.isTold(edit.fields),
      ...(this.under ? judging(tx, this.under.rule) : {}),
      onPart: async (edits, rows, before) => {
        if (this.under) await verifyEdited(tx, this.under.rule, rows, this.under.sent, before)
        await this.keep(tx, edits, rows)
      },
    })
    const days = input.undo ?? 0
    const isKept = this.keepers.length > 0 && updated > 0
    const kept = {
      kind: 'edit',
      id: batchId,
      count: updated,
      days,
      deletedBy: input.actor.name,
    } as const
    if (isKept) for (const keep of this.keepers) await keep(tx, entity, kept)
    else await tx.delete(trashRecords).where(eq(trashRecords.batchId, batchId))
    const shown = { count, updated, unchanged: count - updated }
    await this.record(tx, { ...shown, ...(isKept ? { batchId, undoDays: days } : {}) })
    return {
      ...{ ...shown, newExtraFields, sample: this.sample },
      batchId: isKept ? batchId : null,
    }
  }

  /** Whether the caller may read all of these fields in every record: else each record counts as changed. */
  private isTold(fields: readonly string[]): boolean {
    if (!this.under) return mayRead(this.input.actor, this.entity)
    return areReadableInAll(this.under.rule, fields)
  }

  private async keep(tx: Db, edits: KeptEdit[], rows: PreparedRow[]): Promise<void> {
    const { input, entity, edit, batchId } = this
    if (input.dryRun && this.sample.length === 0) await this.takeSample(tx, edits, rows)
    if (this.keepers.length === 0 || input.dryRun) return
    const records = await readRecords(tx, entity, rows)
    const after = records.map((one) => pick(one, edit.fields))
    await recordAfter(tx, batchId, edits, after)
    if (this.isTold(edit.fields)) await forgetUnchanged(tx, batchId, edits, after)
  }

  private async takeSample(tx: Db, edits: KeptEdit[], rows: PreparedRow[]): Promise<void> {
    const { entity, edit } = this
    const fields = edit.fields.filter((name) => this.isTold([name]))
    const records = await readRecords(tx, entity, rows.slice(0, MAX_SAMPLE))
    this.sample = records.map((one, at) => ({
      key: keyOf(entity, edits[at]?.key ?? {}),
      before: pick(edits[at]?.before ?? {}, fields),
      after: pick(one, fields),
    }))
  }

  private async record(tx: Db, counts: JsonObject): Promise<void> {
    const { entity, input } = this
    const set: Json = shortenedJson(input.set)
    const details = { ...counts, query: shortenedQuery(input.conditions), set }
    const { requestId, actor } = input
    await recordAudit(tx, actor, {
      ...{ action: 'records.update', objectType: entity.name, details, requestId },
    })
  }
}

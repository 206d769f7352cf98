import { isDeepStrictEqual } from 'node:util'
import type { Installed } from '@/lib/archives/plan-install'
import { type Definitions, FileFailure, MAX_DETAILS } from '@/lib/archives/plugin-file'
import type { RecordConflict } from '@/lib/db/schema'
import type { Property, SchemaDefinition } from '@/lib/definitions/definition'
import type { FileDetail, Parsed } from '@/lib/definitions/definition-faults'
import { parseEntityDefinition } from '@/lib/definitions/parse-entity-definition'
import { parseSchemaDefinition } from '@/lib/definitions/parse-schema-definition'
import { parseTypeDefinition } from '@/lib/definitions/parse-type-definition'
import { parseWebhookDefinition } from '@/lib/definitions/parse-webhook-definition'
import type { Types } from '@/lib/definitions/resolve-type'
import { deciderOf, decisionOf } from '@/lib/installs/decisions'
import type { LoadInstalled } from '@/lib/installs/points'
import { schemaJson } from '@/lib/lifecycle/export/definition-files'
import { parsePolicy, parseRole } from '@/lib/policies/parse-policy'
import { toStored } from '@/lib/tables/definition-transaction'
import type { Json, JsonObject } from '@/lib/values/json'
import { followNames } from './follow-names'
import { type LocalDefinition, writtenAs } from './local-definitions'
import { differences, mergeDefinition } from './merge-definition'

type Merge = NonNullable<Installed['merged']>
type Draft = Parameters<Merge>[0][number]
type Choices = Pick<LoadInstalled['request'], 'onConflict' | 'decisions'>
type Item = Definitions['items'][number]

/** Merges what was changed here into the definitions of an archive's files. Pure. */
export const mergeFiles =
  (local: readonly LocalDefinition[], choices: Choices): Merge =>
  (drafts, types, author) =>
    followNames(drafts.map((draft) => mergeFile(draft, local, choices, { types, author })))

/** `types`: those that fields have here; `author`: the same as their authors have them. */
type Typing = { types: Types; author: Types }

function mergeFile(
  draft: Draft,
  local: readonly LocalDefinition[],
  { onConflict, decisions }: Choices,
  typing: Typing,
): Draft {
  const { definitions, folderName } = draft
  if (!definitions) return draft
  const { kind, items } = definitions
  const target = draft.target ?? folderName
  const decider = deciderOf(onConflict ?? draft.onConflict ?? 'keep', decisions?.[target])
  const parts = (items as Item[]).map((item, index) => {
    const authored = authoredOf(kind, item, typing)
    const changed = local.find((one) => one.kind === kind && one.name === item.name)
    if (changed)
      return mergeItem(
        { item, authored, index },
        changed,
        decisionOf(decider, item.name),
        typing.types,
      )
    return { item, authored: isDeepStrictEqual(authored, toStored(item)) ? null : authored }
  })
  if (parts.every(({ authored }) => authored === null)) return draft
  const conflicts = parts.flatMap(({ conflict }) => conflict ?? [])
  const found = { conflicts: conflicts.slice(0, MAX_DETAILS), conflictCount: conflicts.length }
  const faults = parts.flatMap((part) => part.faults ?? [])
  const undecided = parts.flatMap((part) => part.undecided ?? [])
  const merged = {
    ...definitions,
    items: parts.map(({ item }) => item),
    authored: parts.map(({ authored }) => authored),
  } as Definitions
  return {
    ...draft,
    definitions: merged,
    local: { ...found, kept: parts.flatMap(({ kept }) => kept ?? []) },
    failure:
      undecided.length > 0
        ? new FileFailure('Conflict Issue!', undecided, undecided.length, { found })
        : faults.length > 0
          ? new FileFailure('Invalid definition', faults)
          : draft.failure,
  }
}

type Part = {
  item: Item
  /** As the archive has it; null: nothing of it was changed here. */
  authored: JsonObject | null
  conflict?: RecordConflict
  undecided?: FileDetail
  faults?: FileDetail[]
  kept?: string[]
}

/** As the archive has it: the fields of a schema have the rules of their types without what was changed here in these. */
function authoredOf(kind: Definitions['kind'], item: Item, { types, author }: Typing): JsonObject {
  const stored = toStored(item) as unknown as JsonObject
  if (kind !== 'schema' || types === author) return stored
  const parsed = parseSchemaDefinition(schemaJson(item as SchemaDefinition, types), author)
  return 'definition' in parsed ? (toStored(parsed.definition) as unknown as JsonObject) : stored
}

/** `decided`: about what both changed; null: nothing. */
function mergeItem(
  { item, authored, index }: { item: Item; authored: JsonObject; index: number },
  { kind, name, base, ours, stored }: LocalDefinition,
  decided: 'keep' | 'take' | null,
  types: Types,
): Part {
  const theirs = writtenAs(kind, toStored(item))
  const decision = decided ?? 'keep'
  const { merged, disputed } = mergeDefinition(kind, { base, ours, theirs }, decision)
  const parsed = PARSE[kind](merged, types)
  const fields = disputed.map(({ field }) => `"${field}"`).join(', ')
  const message = `${fields} of ${name} changed here and in the plugin; choose onConflict=keep or take`
  const part = {
    authored,
    kept: keptOf(kind, name, theirs, merged),
    ...(disputed.length > 0
      ? { conflict: { key: name, change: 'edited' as const, decision, fields: disputed } }
      : {}),
    ...(disputed.length > 0 && decided === null
      ? { undecided: { index, key: name, message } }
      : {}),
  }
  if ('definition' in parsed) {
    const typed =
      kind === 'schema' ? withTypes(parsed.definition, [authored, stored.ours]) : parsed.definition
    return { ...part, item: inSameForm(typed, authored) }
  }
  const faults = parsed.faults.map((fault) => ({
    ...{ index, ...fault, pointer: undefined },
    message: `With what was changed here in ${name}: ${fault.pointer ?? ''} ${fault.message}`,
  }))
  return { ...part, item, faults }
}

/** A schema whose fields have the types with which the first of the versions that has them declares them. */
function withTypes(schema: Item, versions: readonly Partial<SchemaDefinition>[]): Item {
  const merged = schema as SchemaDefinition
  const properties = merged.properties.map((property): Property => {
    const { ofType } =
      versions
        .flatMap((version) => version.properties ?? [])
        .find(({ name }) => name === property.name) ?? {}
    return ofType ? { ...property, ofType } : property
  })
  return { ...merged, properties }
}

/** The same object where nothing of it was changed here. */
const inSameForm = (merged: Item, authored: JsonObject): Item =>
  isDeepStrictEqual(toStored(merged), authored) ? (authored as unknown as Item) : merged

function keptOf(
  kind: Definitions['kind'],
  name: string,
  theirs: JsonObject,
  merged: JsonObject,
): string[] {
  const fields = differences(kind, theirs, merged).map(({ field }) => field)
  if (fields.length === 0) return []
  const more = fields.length > MAX_NAMED ? ` and ${fields.length - MAX_NAMED} more` : ''
  return [
    `Keep what was changed here in the ${kind} ${name}: ${fields.slice(0, MAX_NAMED).join(', ')}${more}`,
  ]
}

const MAX_NAMED = 20

const PARSE: Record<Definitions['kind'], (json: Json, types: Types) => Parsed<Item>> = {
  type: parseTypeDefinition,
  schema: (json, types) => parseSchemaDefinition(json as JsonObject, types),
  entity: parseEntityDefinition,
  role: parseRole,
  policy: parsePolicy,
  webhook: parseWebhookDefinition,
}

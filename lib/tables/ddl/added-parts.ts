import {
  type AddedIndex,
  type AddedPart,
  type Entity,
  EXTRA_COLUMN,
  type Property,
} from '@/lib/definitions/definition'
import { isJsonKind, isTextKind } from '@/lib/kinds/kind'
import type { IndexPart } from '../ddl-step'

type ByName = ReadonlyMap<string, Property>

/** The parts of an added index in the present table; null when it can't hold them. */
export function addedParts(
  entity: Entity,
  { kind, unique, parts }: AddedIndex,
  byName: ByName,
): IndexPart[] | null {
  const present = parts.map((part) => presentPart(entity, part, byName))
  const known = present.filter((part) => part !== null)
  if (known.length < present.length) return null
  if (kind !== 'btree') return ginParts(kind, known)
  const isFit = known.every(
    ({ isJson, path, use }) => !isJson || (use === 'sort' && path.length < 2),
  )
  if (!isFit || (unique && known.some(({ isJson }) => isJson))) return null
  const held = known.flatMap(btreeParts)
  return unique ? held : [...held, ...keyParts(entity, held)]
}

type Present = AddedPart & { isJson: boolean; isText: boolean }

/** An undeclared field may have been declared since, and a declared one may be gone. */
function presentPart(entity: Entity, part: AddedPart, byName: ByName): Present | null {
  const [first, ...rest] = part.path
  const declared =
    part.column === EXTRA_COLUMN && first !== undefined ? byName.get(first) : undefined
  if (declared) return describe({ ...part, column: declared.name, path: rest }, declared)
  if (part.column === EXTRA_COLUMN)
    return entity.open ? { ...part, isJson: true, isText: false } : null
  const property = byName.get(part.column)
  return property ? describe(part, property) : null
}

function describe(part: AddedPart, { kind }: Property): Present | null {
  const isJson = isJsonKind(kind)
  if (!isJson && part.path.length > 0) return null
  return { ...part, isJson, isText: isTextKind(kind) }
}

function ginParts(kind: 'trigram' | 'json', [part]: Present[]): IndexPart[] | null {
  if (!part || (kind === 'json' ? !part.isJson : !part.isText)) return null
  const operators = kind === 'json' ? 'jsonb_path_ops' : 'gin_trgm_ops'
  return [{ column: part.column, operators }]
}

function btreeParts({ column, path, use, isJson, isText, descending }: Present): IndexPart[] {
  if (!isJson) return [isText && use === 'sort' ? { column, natural: true } : { column }]
  const key = path[0] ?? null
  return (['rank', 'number', 'text'] as const).map((value) => ({
    column,
    json: { key, value },
    ...(descending ? { descending } : {}),
  }))
}

/** The keys, which end every order, unless they are in it. */
function keyParts({ keys }: Entity, held: readonly IndexPart[]): IndexPart[] {
  const descending = held.at(-1)?.descending
  return keys
    .filter((key) => !held.some(({ column, natural, json }) => column === key && !natural && !json))
    .map((column) => (descending ? { column, descending } : { column }))
}

import { KIND_NAMES, type Kind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'

type BuiltInType = { kind: Kind; format?: string; isLate?: true }

/** Every built-in type of properties, by its name in lower case. */
export const BUILT_IN_TYPES: ReadonlyMap<string, BuiltInType> = new Map(
  KIND_NAMES.flatMap((kind) =>
    Object.entries(KINDS[kind].types).map(([name, more]): [string, BuiltInType] => [
      name,
      { kind, ...more },
    ]),
  ),
)

/** The name by which types are looked up: `Date` with a capital is a datetime. */
export const typeKey = (name: string): string =>
  name === 'Date' ? 'datetime' : name.trim().toLowerCase()

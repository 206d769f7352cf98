import { type FileDetail, fault } from '@/lib/definitions/definition-faults'
import { KINDS } from '@/lib/kinds/kinds'
import type { Json, JsonObject } from '@/lib/values/json'
import type { RawProperty } from './raw-property'

const FORMAT_TYPES = new Map(
  Object.values(KINDS).flatMap(({ jsonSchemaFormats }) => Object.entries(jsonSchemaFormats)),
)

/** The engine's type; several types become `json`. Takes `format` out of the rules. */
export function readJsonSchemaType(
  json: JsonObject,
  pointer: string,
  rules: RawProperty['rules'],
  faults: FileDetail[],
): string {
  const format = rules.get('format')?.value
  rules.delete('format')
  const types = [json.type ?? inferTypes(rules.get('enum')?.value)]
    .flat()
    .filter((t) => t !== 'null')
  const bad = types.find((type) => typeof type !== 'string')
  if (bad !== undefined) faults.push(fault(`${pointer}/type`, 'Must name a type', bad))
  const [type] = types
  if (types.length !== 1 || typeof type !== 'string') return 'json'
  if (type !== 'string' || typeof format !== 'string') return type
  return FORMAT_TYPES.get(format.toLowerCase()) ?? type
}

function inferTypes(values: Json | undefined): Json[] {
  if (!Array.isArray(values)) return ['json']
  const names = new Set(values.filter((value) => value !== null).map((value) => typeof value))
  return [...names].map((name) =>
    name === 'string' || name === 'number' || name === 'boolean' ? name : 'json',
  )
}

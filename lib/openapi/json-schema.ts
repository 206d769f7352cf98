import { z } from 'zod'
import type { JsonObject } from '@/lib/values/json'

/** A JSON Schema, or any other part of the document. */
export type Part = { [key: string]: unknown }

export const SCHEMAS = '#/components/schemas/'

/**
 * The JSON Schema of what clients send (`input`) or get (`output`), with the named schemas it refers to.
 * Formats replace zod's patterns of them, and limits of every JSON number are left out. Responses
 * may get fields in later versions; with `closed` no schema allows that, to find undocumented fields.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', closed = false) {
  const isOpen = io === 'output' && !closed
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => simplify(jsonSchema as Part, isOpen),
  })
  const { $schema: _, $defs = {}, ...root } = moveNames(made as JsonObject) as Part
  const named = $defs as Record<string, Part>
  const name = schema.meta()?.id
  if (!name || named[name]) return { root: root as Part, named }
  return { root: { $ref: SCHEMAS + name } as Part, named: { ...named, [name]: root as Part } }
}

function simplify(schema: Part, isOpen: boolean): void {
  if (isOpen && schema.additionalProperties === false) delete schema.additionalProperties
  if (typeof schema.component === 'string') {
    const $ref = SCHEMAS + schema.component
    for (const key of Object.keys(schema)) if (key !== 'description') delete schema[key]
    schema.$ref = $ref
  }
  delete schema.id
  if (typeof schema.format === 'string') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/** zod keeps named schemas next to the one that uses them, the document keeps all in one place. */
const moveNames = (schema: JsonObject): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', `"$ref":"${SCHEMAS}`))

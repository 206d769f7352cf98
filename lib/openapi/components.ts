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

export type Sources = ReadonlyMap<string, () => Part>

/**
 * The parts of a document that its operations share. Named schemas are added with the schemas that use
 * them; those of `sources` are made when something refers to them.
 */
export class Components {
  readonly schemas: Record<string, Part> = {}
  readonly parameters: Record<string, Part> = {}
  readonly responses: Record<string, Part> = {}

  constructor(
    private readonly sources: Sources,
    /** As in `jsonSchemaOf`. */
    private readonly closed = false,
  ) {}

  /** Adds all parts of another instance. */
  with({ schemas, parameters, responses }: Components): this {
    Object.assign(this.schemas, schemas)
    Object.assign(this.parameters, parameters)
    Object.assign(this.responses, responses)
    return this
  }

  /** The JSON Schema of a zod schema; throws when it refers to a component without a source. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Part {
    const { root, named } = jsonSchemaOf(schema, io, this.closed)
    for (const [name, part] of Object.entries(named)) this.schemas[name] ??= part
    this.require([root, ...Object.values(named)])
    return root
  }

  /** Makes everything that `part` refers to, directly or not. */
  require(part: unknown): void {
    for (const name of namesIn(part)) {
      if (this.schemas[name]) continue
      const make = this.sources.get(name)
      if (!make) throw new Error(`There is no schema named "${name}"`)
      const made = make()
      this.schemas[name] = made
      this.require(made)
    }
  }

  toJSON() {
    const { schemas, parameters, responses } = this
    return {
      schemas: sorted(schemas),
      parameters: sorted(parameters),
      responses: sorted(responses),
    }
  }
}

const REFERENCE = new RegExp(`"\\$ref":"${SCHEMAS}([^"]+)"`, 'g')

const namesIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(REFERENCE)].map(([, name]) => name as string)

const sorted = (parts: Record<string, Part>) =>
  Object.fromEntries(Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1)))

import type { z } from 'zod'
import { jsonSchemaOf, type Part, SCHEMAS } from './json-schema'

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

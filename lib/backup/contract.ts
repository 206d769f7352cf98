import { z } from 'zod'

/** The file of a backup that names all others. */
export const MANIFEST = 'manifest.json'
export const STRUCTURE = 'structure.json'

const count = z.number().int().nonnegative()
const file = z.object({
  /** Path in the backup. */
  path: z.string().regex(/^[\w./-]+$/),
  /** Hex, of the content; of the unpacked content where the path ends in `.gz`. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of the unpacked content. */
  bytes: count,
})

const table = z.object({
  schema: z.string(),
  name: z.string(),
  /** Those that are stored: generated columns are left out. `type` as PostgreSQL writes it. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: count,
  data: file,
})

/** What a backup holds. Texts of `files` are relative to the manifest's folder. */
export const manifestSchema = z.object({
  format: z.literal('engine-backup'),
  version: z.literal(1),
  createdAt: z.iso.datetime(),
  dialect: z.enum(['postgres', 'pglite']),
  /** Distinguishes secrets (`NEXTAUTH_SECRET`) without telling them; null when it was not known. */
  secret: z.string().nullable(),
  /** `created_at` of the last migration of the engine's own tables. */
  schemaVersion: count,
  structure: file,
  /** In the order in which references allow to load them. */
  tables: z.array(table),
  sequences: z.array(
    z.object({ schema: z.string(), name: z.string(), value: z.string(), isCalled: z.boolean() }),
  ),
  /** Stored images of this server; `key` is their place below `DATA_DIR/images/objects`. */
  images: z.array(file.extend({ key: z.string() })),
  /** Images that the database names and the disk did not have. */
  missingImages: z.array(z.string()),
  /** Images at Cloudinary, which stay there. */
  cloudImages: count,
})
export type Manifest = z.infer<typeof manifestSchema>
export type BackupFile = z.infer<typeof file>
export type BackupTable = z.infer<typeof table>

/** Statements that make the tables of entities: before their rows are loaded, and after. */
export const structureSchema = z.object({
  before: z.array(z.string()),
  after: z.array(z.string()),
})
export type Structure = z.infer<typeof structureSchema>

import type { Import, ImportPreview } from '@/lib/import/contract'

/** Columns of the file to fields; null leaves a column out. */
export type Mapping = Readonly<Record<string, string | null>>

export type ImportMode = Import['mode']

/** What is chosen about an import. */
export type ImportOptions = {
  /** Null: what the preview says fits the file. */
  mode: ImportMode | null
  /** The fields by which records are found; null: what the preview says. */
  key: readonly string[] | null
  /** Null: columns are found by name and likeness. */
  mapping: Mapping | null
  /** Left out: what a byte order mark says, or UTF-8. */
  encoding?: 'windows-1252'
}

/** A file on its way into an entity. */
export type ImportItem = {
  id: string
  entity: string
  /** Null for an import that was started elsewhere. */
  file: File | null
  name: string
  /** Bytes. */
  size: number
  options: ImportOptions
  /**
   * `checking`: previewed, sent and dry run. `checked`: the dry run is over. `stopped`: it could not be checked. `sending` and
   * `running`: the import itself. `over`: it has ended, however.
   */
  state: 'checking' | 'checked' | 'stopped' | 'sending' | 'running' | 'over'
  /** Bytes of the file, in `checking` and `sending`. */
  sent: number
  preview?: ImportPreview
  /** The dry run. */
  check?: Import
  /** The import itself. */
  result?: Import
  /** Why it went no further. */
  error?: string
  /** The file itself is the cause. */
  isFileFault?: boolean
  /** It is imported without another question where all rows can be. */
  isConfirmed?: boolean
}

/** Whether records are created or changed, and how stored ones are found: as chosen, or as fits the file. */
export function choiceOf({
  options: { mode, key },
  preview,
}: Pick<ImportItem, 'options'> & Pick<Partial<ImportItem>, 'preview'>) {
  const found = preview && preview.key.length > 0 ? preview.key : (preview?.keys[0] ?? null)
  return { mode: mode ?? preview?.mode ?? null, key: key ?? found }
}

/** The records that the import would create or change. */
export const recordsOf = ({ created, updated, unchanged }: Import): number =>
  created + updated + unchanged

export const isOver = ({ status }: Import): boolean => status !== 'WAITING' && status !== 'RUNNING'

/** Whether the server could not read the text of the file, which its encoding might explain. */
export const isMisread = ({ state, error, options }: ImportItem): boolean =>
  state === 'stopped' && !options.encoding && /is not valid UTF-8/.test(error ?? '')

/** Whether only another file helps. */
export const needsOtherFile = ({ state, isFileFault, check }: ImportItem): boolean =>
  state === 'stopped'
    ? isFileFault === true
    : state === 'checked' && (check?.status === 'FAILED' || check?.doneRows === 0)

/** Something is being sent, or done by the server. */
export const isAtWork = ({ state }: Pick<ImportItem, 'state'>): boolean =>
  state === 'checking' || state === 'sending' || state === 'running'

import type { PlannedFile } from './install-plan'

/** Tells each file of schemas and entities which entities it or a later file is going to make. */
export function withAwaited(files: readonly PlannedFile[]): PlannedFile[] {
  const awaited: string[] = []
  return files
    .toReversed()
    .map((file) => {
      const { definitions, failure } = file
      if (definitions?.kind === 'entity' && !failure)
        awaited.push(...definitions.items.map(({ name }) => name))
      return definitions?.kind === 'entity' || definitions?.kind === 'schema'
        ? { ...file, definitions: { ...definitions, awaited: [...awaited] } }
        : file
    })
    .toReversed()
}

'use client'
import { useQueries } from '@tanstack/react-query'
import { mergeUses } from './merge-uses'
import { usesOptions } from './uses-query'

/** Every entity is searched for each image, so the records of so many are looked for. */
const MAX_IMAGES = 10

/** The records that use any of these images, as of now. */
export function useDeletionUses(fileIds: readonly string[]) {
  const asked = fileIds.slice(0, MAX_IMAGES)
  const results = useQueries({
    queries: asked.map((fileId) => ({
      ...usesOptions(fileId),
      refetchOnMount: 'always' as const,
      gcTime: 0,
    })),
  })
  const found = results.flatMap(({ data }) => (data ? [data] : []))
  return {
    uses: mergeUses(found),
    /** Of how many images they are. */
    looked: found.length,
    error: results.find(({ error }) => error)?.error ?? null,
    isLooking: results.some(({ isFetching }) => isFetching),
  }
}

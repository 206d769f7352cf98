import { useQuery } from '@tanstack/react-query'
import { entitiesOptions } from '@/components/entities/entity-queries'
import { isViewedAs } from '@/lib/http/client'

/** Whether changes of the entity's records can be followed, as the visitor sees them. */
export const useIsLive = (entity: string): boolean =>
  useQuery({
    ...entitiesOptions,
    select: ({ data }) => data.some(({ name, events }) => events && name === entity),
  }).data === true && !isViewedAs()

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { api } from '@/lib/http/client'

/** A list that takes the server seconds, so it is read when somebody asks for it: `actions` names the first time and the next ones. */
export function AskedCard<Entry>({
  title,
  description,
  path,
  actions: [first, again],
  children,
}: {
  title: string
  description: string
  path: string
  actions: [first: string, again: string]
  children: (entries: Entry[]) => ReactNode
}) {
  const list = useQuery({
    queryKey: [path],
    queryFn: async ({ signal }) => (await api<Entry>(path, { signal })).data,
    enabled: false,
    gcTime: 0,
  })
  return (
    <Card
      title={title}
      description={description}
      flush
      actions={
        <Button size="sm" busy={list.isFetching} onClick={() => void list.refetch()}>
          {list.data ? again : first}
        </Button>
      }
    >
      {list.error ? (
        <ErrorState of={list} />
      ) : list.data ? (
        <dl className="divide-y">{children(list.data)}</dl>
      ) : (
        list.isFetching && <Skeleton className="m-4 h-24 rounded-lg" />
      )}
    </Card>
  )
}

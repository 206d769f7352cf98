'use client'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { timingText } from '@/components/ui/server-timing'

type Props = { url: string; json: string }

/** How long the server takes for the request, as it says itself; measured when it is shown, and again on demand. */
export function RequestTiming({ url, json }: Props) {
  const timing = useQuery({
    queryKey: ['request-timing', url, json],
    queryFn: async ({ signal }) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body: json, signal })
      if (!response.ok) throw new Error(`The request was refused with ${response.status}`)
      return timingText(response.headers.get('Server-Timing'))
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[13px]">
      <p aria-live="polite" className="min-w-0">
        <span className="text-muted-foreground">How long (Server-Timing): </span>
        <span className="tabular">
          {timing.isFetching ? 'measuring …' : (timing.error?.message ?? timing.data)}
        </span>
      </p>
      <Button
        size="sm"
        variant="ghost"
        busy={timing.isFetching}
        onClick={() => void timing.refetch()}
      >
        Measure again
      </Button>
    </div>
  )
}

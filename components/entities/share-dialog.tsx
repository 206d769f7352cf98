import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { Dialog } from '@/components/ui/dialog'
import { Segmented } from '@/components/ui/segmented'
import { Tabs } from '@/components/ui/tabs'
import { exactJsonText } from '@/lib/values/exact-json'
import { entityPath } from './entity-queries'
import { pageSearch } from './entity-search'
import type { View } from './view-queries'

type Props = { view: View; onClose: () => void }

/** The request behind the table as curl, JSON and the page's address. */
export default function ShareDialog({ view, onClose }: Props) {
  const { entity, columns, related, list } = view
  const [count, setCount] = useState<(typeof COUNTS)[number]>('exact')
  const json = exactJsonText({ ...pageSearch(columns, list, related), count }, 2)
  const url = `${window.location.origin}${entityPath(entity, '/search')}`
  return (
    <Dialog
      onClose={onClose}
      title="This view in the API"
      description="The same filter, order, columns and page."
      size="lg"
    >
      <RequestTiming url={url} json={json} />
      <div className="mb-3 grid gap-1.5 text-[13px]">
        <div className="flex flex-wrap items-center gap-2">
          <span>Total</span>
          <Segmented
            aria-label="Total"
            value={count}
            onValueChange={setCount}
            options={COUNTS.map((value) => ({ value, label: value }))}
          />
        </div>
        <p className="text-muted-foreground">
          Requests are strict: unknown fields, operators and values that do not fit are refused.
        </p>
      </div>
      <Tabs
        aria-label="Request format"
        tabs={[
          {
            value: 'curl',
            label: 'curl',
            content: <CodeBlock label="curl" code={curl(url, json)} />,
          },
          { value: 'json', label: 'JSON', content: <CodeBlock label="JSON" code={json} /> },
          {
            value: 'url',
            label: 'Address',
            content: <CodeBlock label="address" code={window.location.href} wrap />,
          },
        ]}
      />
    </Dialog>
  )
}

/** How the total is found, the dearest first. */
const COUNTS = ['exact', 'estimated', 'none'] as const

const curl = (url: string, json: string) =>
  [
    `curl -X POST '${url}' \\`,
    `  -H 'Authorization: Bearer YOUR_API_KEY' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json.replaceAll("'", `'\\''`)}'`,
  ].join('\n')

type RequestTimingProps = { url: string; json: string }

/** How long the server takes for the request, as it says itself; measured when it is shown, and again on demand. */
function RequestTiming({ url, json }: RequestTimingProps) {
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

/**
 * A `Server-Timing` header in words: `auth 0.3 ms · db 1.2 ms · total 3.0 ms`; empty without measured parts.
 */
export function timingText(header: string | null): string {
  const parts = (header ?? '').split(',').map((part) => {
    const [name = '', ...params] = part.trim().split(';')
    const duration = params.map((param) => /^\s*dur=([\d.]+)$/.exec(param)?.[1]).find(Boolean)
    return duration ? `${name} ${Number(duration).toFixed(1)} ms` : ''
  })
  return parts.filter(Boolean).join(' · ')
}

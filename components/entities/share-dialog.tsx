'use client'
import { CodeBlock } from '@/components/ui/code-block'
import { Dialog } from '@/components/ui/dialog'
import { Tabs } from '@/components/ui/tabs'
import { exactJsonText } from '@/lib/values/exact-json'
import { entityPath } from './entity-queries'
import { pageSearch } from './entity-search'
import { RequestTiming } from './request-timing'
import type { View } from './view'

type Props = { view: View; onClose: () => void }

/** The request behind the table as curl, JSON and the page's address. */
export default function ShareDialog({ view, onClose }: Props) {
  const { entity, columns, list } = view
  const { count: _, ...search } = pageSearch(columns, list)
  const json = exactJsonText(search, 2)
  const url = `${window.location.origin}${entityPath(entity, '/search')}`
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="This view in the API"
      description="The same filter, order, columns and page."
      size="lg"
    >
      <RequestTiming url={url} json={json} />
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

const curl = (url: string, json: string) =>
  [
    `curl -X POST '${url}' \\`,
    `  -H 'Authorization: Bearer YOUR_API_KEY' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json.replaceAll("'", `'\\''`)}'`,
  ].join('\n')

'use client'
import { useQuery } from '@tanstack/react-query'
import { PlusIcon, WebhookIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { usePluginNames } from '@/components/plugins/plugin-names'
import { Page } from '@/components/shell/page'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import type { NewWebhook, Webhook } from '@/lib/webhooks/contract'
import { ShowSecret } from './show-secret'
import { webhooksOptions } from './webhook-queries'
import { WebhookStatus } from './webhook-words'

const WebhookDialog = dynamic(() => import('./webhook-dialog').then((all) => all.WebhookDialog), {
  ssr: false,
})

/** The webhooks there are, and a way to make one. */
export function WebhooksView() {
  const router = useRouter()
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewWebhook | null>(null)
  return (
    <Page
      title="Webhooks"
      description="Changes of records that are sent to other systems."
      actions={
        <Button variant="primary" onClick={() => setCreating(true)}>
          <PlusIcon aria-hidden />
          New webhook
        </Button>
      }
    >
      <WebhooksTable />
      {isCreating && (
        <WebhookDialog webhook={null} onClose={() => setCreating(false)} onCreated={setCreated} />
      )}
      {created && (
        <ShowSecret
          webhook={created}
          onClose={() => {
            setCreated(null)
            router.push(`/webhooks/${created.id}`)
          }}
        />
      )}
    </Page>
  )
}

function WebhooksTable() {
  const webhooks = useQuery(webhooksOptions)
  if (webhooks.isPending) return <Skeleton className="h-64 rounded-lg" />
  if (webhooks.error) return <ErrorState of={webhooks} />
  return (
    <Card flush>
      {webhooks.data.length === 0 ? (
        <EmptyState icon={WebhookIcon} title="No webhooks yet">
          Other systems learn of changes at once, without asking again and again.
        </EmptyState>
      ) : (
        <Table aria-label="Webhooks" className="[&_tr:last-child>td]:border-b-0">
          <thead>
            <tr>
              <Th>Name</Th>
              <Th>Status</Th>
              <Th>Entities</Th>
              <Th className="text-right">Waiting</Th>
              <Th className="text-right">Failed</Th>
            </tr>
          </thead>
          <tbody>
            {webhooks.data.map((each) => (
              <WebhookRow key={each.id} webhook={each} />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

const DeclaredBy = ({ id }: { id: string }) => `Declared by ${usePluginNames()(id)}`

const WebhookRow = ({ webhook }: { webhook: Webhook }) => (
  <tr>
    <Td className="max-w-80">
      <Link href={`/webhooks/${webhook.id}`} className="font-medium hover:underline">
        {webhook.name}
      </Link>
      <span className="block truncate text-xs text-muted-foreground">
        {webhook.url ?? <DeclaredBy id={webhook.pluginId ?? ''} />}
      </span>
    </Td>
    <Td>
      <WebhookStatus webhook={webhook} />
    </Td>
    <Td className="text-muted-foreground">{webhook.entities.join(', ')}</Td>
    <Td className="tabular text-right">{webhook.waiting}</Td>
    <Td className="tabular text-right">{webhook.failed}</Td>
  </tr>
)

'use client'
import { useQuery } from '@tanstack/react-query'
import { SendIcon } from 'lucide-react'
import { useOwnCrumb } from '@/components/shell/crumb'
import { Page } from '@/components/shell/page'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Facts } from '@/components/ui/facts'
import { Refusal } from '@/components/ui/notice'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Tabs } from '@/components/ui/tabs'
import type { Delivery, Webhook } from '@/lib/webhooks/contract'
import { NO_FILTER } from './delivery-filter'
import { guideText, RULES, SNIPPETS, sampleRequest } from './receiver-samples'
import { deliveriesOptions, sendTest, useWebhookMutation, webhookOptions } from './webhook-queries'

/** What the author of a receiver needs: the exact request, how to verify it, and what to rely on. */
export function ReceiverGuide({ id }: { id: string }) {
  const webhook = useQuery(webhookOptions(id))
  const log = useQuery(deliveriesOptions(id, { ...NO_FILTER, page: 0 }))
  if (webhook.error) return <ErrorState of={webhook} />
  if (log.error) return <ErrorState of={log} />
  if (!webhook.data || !log.data) return <Skeleton className="m-6 h-96 rounded-lg" />
  return <Guide webhook={webhook.data} log={log.data.data} />
}

function Guide({ webhook, log }: { webhook: Webhook; log: readonly Delivery[] }) {
  const title = `Receiving “${webhook.name}”`
  useOwnCrumb(title)
  const sample = sampleRequest(webhook, log)
  return (
    <Page
      width="narrow"
      title={title}
      description="For whoever writes the program at the address."
      actions={<CopyButton showLabel label="Copy as Markdown" text={guideText(webhook, sample)} />}
    >
      <Card title="What is sent">
        {sample === null ? (
          <NothingSent id={webhook.id} />
        ) : (
          <div className="grid gap-2">
            <p className="text-[13px] text-muted-foreground">
              The last request, but for its signature.
            </p>
            <CodeBlock label="the request" code={sample} wrap />
          </div>
        )}
      </Card>
      <Card title="Verify it">
        <Tabs
          aria-label="Languages"
          tabs={SNIPPETS.map(({ value, label, code }) => ({
            value,
            label,
            content: <CodeBlock label={`the code for ${label}`} code={code} whole />,
          }))}
        />
      </Card>
      <Card title="What to rely on">
        <Facts facts={RULES.map(({ label, text }) => ({ label, value: text }))} />
      </Card>
    </Page>
  )
}

function NothingSent({ id }: { id: string }) {
  const test = useWebhookMutation(sendTest)
  return (
    <EmptyState
      title="Nothing was sent yet"
      actions={
        <Button busy={test.isPending} onClick={() => test.mutate(id)}>
          <SendIcon aria-hidden />
          Send a test
        </Button>
      }
    >
      <Refusal of={test.error} title="The test was not sent" />A test shows here exactly what a
      receiver gets.
    </EmptyState>
  )
}

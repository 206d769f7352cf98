import { useQuery } from '@tanstack/react-query'
import { RefreshCwIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CodeBlock } from '@/components/ui/code-block'
import { Facts } from '@/components/ui/facts'
import { Refusal } from '@/components/ui/notice'
import { Pager } from '@/components/ui/pager'
import { Sheet } from '@/components/ui/sheet'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import { Time } from '@/components/ui/time'
import type { Delivery, Webhook } from '@/lib/webhooks/contract'
import { DeliveryFilterBar, NO_FILTER } from './delivery-filter'
import { SendManyAgain } from './send-many-again'
import {
  DELIVERIES_A_PAGE,
  deliveriesOptions,
  sendAgain,
  useWebhookMutation,
} from './webhook-queries'
import { DeliveryStatus, deliveryWords } from './webhook-words'

/** What was sent and what came back, the last first. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { id, failed, entities } = webhook
  const [filter, setFilter] = useState(NO_FILTER)
  const [page, setPage] = useState(0)
  const [opened, setOpened] = useState<string | null>(null)
  const deliveries = useQuery(deliveriesOptions(id, { ...filter, page }))
  const shown = deliveries.data?.data.find((each) => each.id === opened)
  return (
    <Card
      flush
      title="Deliveries"
      actions={<SendManyAgain id={id} failed={failed} filter={filter} />}
    >
      <DeliveryFilterBar
        entities={entities}
        value={filter}
        onChange={(next) => {
          setFilter(next)
          setPage(0)
        }}
      />
      {deliveries.error && <ErrorState of={deliveries} />}
      {deliveries.isPending && <Skeleton className="m-4 h-32" />}
      {deliveries.data && (
        <DeliveryRows
          deliveries={deliveries.data.data}
          isFiltered={Object.values(filter).some(Boolean)}
          onOpen={setOpened}
        />
      )}
      <div className="px-4 py-2 empty:hidden">
        <Pager
          aria-label="Pages of deliveries"
          page={page}
          size={DELIVERIES_A_PAGE}
          total={deliveries.data?.total ?? 0}
          onPage={setPage}
          text="deliveries"
        />
      </div>
      {shown && <DeliveryPanel id={id} delivery={shown} onClose={() => setOpened(null)} />}
    </Card>
  )
}

type RowsProps = {
  deliveries: readonly Delivery[]
  isFiltered: boolean
  onOpen: (id: string) => void
}

function DeliveryRows({ deliveries, isFiltered, onOpen }: RowsProps) {
  if (deliveries.length === 0 && isFiltered)
    return <EmptyState title="Nothing matches">Change what is searched for above.</EmptyState>
  if (deliveries.length === 0)
    return <EmptyState title="Nothing was sent yet">A test shows how it works.</EmptyState>
  return (
    <Table aria-label="Deliveries" className="[&_tr:last-child>td]:border-b-0">
      <thead>
        <tr>
          <Th>Change</Th>
          <Th>Status</Th>
          <Th>Answer</Th>
          <Th className="text-right">Attempts</Th>
          <Th>Queued</Th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((each) => (
          <tr key={each.id}>
            <Td>
              <button
                type="button"
                className="text-left font-medium hover:underline"
                onClick={() => onOpen(each.id)}
              >
                {deliveryWords(each)}
              </button>
            </Td>
            <Td>
              <DeliveryStatus delivery={each} />
            </Td>
            <Td className="max-w-80 truncate text-muted-foreground">
              {each.error ?? each.tries.at(-1)?.status ?? '—'}
            </Td>
            <Td className="tabular text-right">{each.attempts}</Td>
            <Td className="whitespace-nowrap">
              <Time value={each.createdAt} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

type PanelProps = { id: string; delivery: Delivery; onClose: () => void }

/** One delivery: the body that was sent, what came back, and each attempt. */
function DeliveryPanel({ id, delivery, onClose }: PanelProps) {
  const again = useWebhookMutation(sendAgain)
  const { request, response, tries, error, nextAttemptAt } = delivery
  return (
    <Sheet
      onClose={onClose}
      title={deliveryWords(delivery)}
      description={`webhook-id ${delivery.id}`}
      actions={
        delivery.entity !== null &&
        delivery.status !== 'sending' && (
          <Button
            size="sm"
            busy={again.isPending}
            onClick={() => again.mutate({ id, deliveryId: delivery.id })}
          >
            <RefreshCwIcon aria-hidden />
            Send again
          </Button>
        )
      }
    >
      <div className="grid gap-5 p-4">
        <Refusal of={again.error} title="It was not sent again" />
        <Facts
          facts={[
            { label: 'Status', value: <DeliveryStatus delivery={delivery} /> },
            error !== null && { label: 'Reason', value: error },
            nextAttemptAt !== null && {
              label: 'Next attempt',
              value: <Time value={nextAttemptAt} />,
            },
          ]}
        />
        {tries.length > 0 && <Tries tries={tries} />}
        {request !== null && <CodeBlock label="the request" code={readable(request)} wrap />}
        {response && <CodeBlock label="the answer" code={response} wrap />}
      </div>
    </Sheet>
  )
}

const Tries = ({ tries }: Pick<Delivery, 'tries'>) => (
  <ol aria-label="Attempts" className="grid gap-1 text-[13px]">
    {tries.map(({ at, status, error, ms }) => (
      <li key={at} className="flex flex-wrap justify-between gap-x-4">
        <Time value={at} />
        <span className="text-muted-foreground">
          {error ?? `Answered ${status}`} · {ms} ms
        </span>
      </li>
    ))}
  </ol>
)

/** The body with a line for each property, where it is whole. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

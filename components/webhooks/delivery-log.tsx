import { useQuery } from '@tanstack/react-query'
import { RefreshCwIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CodeBlock } from '@/components/ui/code-block'
import { Facts } from '@/components/ui/facts'
import { NativeSelect } from '@/components/ui/native-select'
import { Refusal } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Pager } from '@/components/ui/pager'
import { Sheet } from '@/components/ui/sheet'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Table, Td, Th } from '@/components/ui/table'
import { Time } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import type { Delivery } from '@/lib/webhooks/contract'
import {
  DELIVERIES_A_PAGE,
  deliveriesOptions,
  sendAgain,
  sendFailedAgain,
  useWebhookMutation,
} from './webhook-queries'
import { DELIVERY_LOOKS, DeliveryStatus, deliveryWords } from './webhook-words'

const STATUSES = [
  { value: '', label: 'All deliveries' },
  ...Object.entries(DELIVERY_LOOKS).map(([value, { word }]) => ({ value, label: word })),
]

/** What was sent and what came back, the last first. */
export function DeliveryLog({ id, failed }: { id: string; failed: number }) {
  const [status, setStatus] = useState('')
  const [page, setPage] = useState(0)
  const [opened, setOpened] = useState<string | null>(null)
  const deliveries = useQuery(deliveriesOptions(id, { status, page }))
  const again = useWebhookMutation(sendFailedAgain)
  const shown = deliveries.data?.data.find((each) => each.id === opened)
  return (
    <Card
      flush
      title="Deliveries"
      actions={
        <>
          {failed > 0 && (
            <Button
              size="sm"
              busy={again.isPending}
              onClick={() =>
                again.mutate(id, {
                  onSuccess: ({ redelivered }) =>
                    toast.success(`${countOf(redelivered, 'delivery', 'deliveries')} sent again`),
                })
              }
            >
              <RefreshCwIcon aria-hidden />
              Send failed again
            </Button>
          )}
          <NativeSelect
            aria-label="Status"
            options={STATUSES}
            value={status}
            onValueChange={(next) => {
              setStatus(next)
              setPage(0)
            }}
          />
        </>
      }
    >
      <Refusal of={again.error} title="They were not sent again" />
      {deliveries.error && <ErrorState of={deliveries} />}
      {deliveries.isPending && <Skeleton className="m-4 h-32" />}
      {deliveries.data && <DeliveryRows deliveries={deliveries.data.data} onOpen={setOpened} />}
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

type RowsProps = { deliveries: readonly Delivery[]; onOpen: (id: string) => void }

function DeliveryRows({ deliveries, onOpen }: RowsProps) {
  if (deliveries.length === 0)
    return <EmptyState title="Nothing here">Send a test to see how it works.</EmptyState>
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

import { useMutation } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Refusal } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Status } from '@/components/ui/status'
import type { OtherServer, ServerTest } from '@/lib/servers/contract'
import { testServer } from './server-queries'

type Props = {
  server: OtherServer
  onPromote: (direction: 'pull' | 'push') => void
  onEdit: () => void
  onRemove: () => void
}

/** A server with what can be done with it. */
export function ServerItem({ server: { id, name, url }, onPromote, onEdit, onRemove }: Props) {
  const test = useMutation({ mutationFn: () => testServer(id) })
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="grid min-w-0 basis-full gap-0.5 sm:basis-48 sm:grow">
          <span className="font-medium break-words">{name}</span>
          <span className="font-mono text-xs break-all text-muted-foreground">{url}</span>
        </div>
        <Button size="sm" aria-label={`Bring here from ${name}`} onClick={() => onPromote('pull')}>
          Bring here
        </Button>
        <Button size="sm" aria-label={`Send there, to ${name}`} onClick={() => onPromote('push')}>
          Send there
        </Button>
        <Button
          size="sm"
          busy={test.isPending}
          aria-label={`Test ${name}`}
          onClick={() => test.mutate()}
        >
          Test
        </Button>
        <Button size="sm" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      {test.data && !test.isPending && <Answer {...test.data} />}
      <Refusal of={test.error} />
    </li>
  )
}

const Answer = ({ version, address, entities }: ServerTest) => (
  <p role="status" className="flex flex-wrap items-center gap-2 text-[13px] text-muted-foreground">
    <Status tone="success">Connected</Status>
    {version === null ? 'An older version' : `Version ${version}`}
    {address && `, as ${address}`}, {countOf(entities.length, 'entity', 'entities')}
  </p>
)

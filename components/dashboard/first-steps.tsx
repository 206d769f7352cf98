import { useMutation } from '@tanstack/react-query'
import { CircleCheckIcon, CircleDashedIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { installQueue } from '@/components/plugins/install-queue'
import { useServerFacts } from '@/components/shell/server-facts'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/cn'
import { Link } from '@/components/ui/link'
import { useNavigate } from '@/components/ui/pending-page'
import { toast } from '@/components/ui/toast'
import { useSearch } from '@/lib/query/search'
import { PLUGINS_COUNT, USERS_COUNT } from './dashboard-searches'
import { FIRST_STEPS_COOKIE, KEYS_COUNT, type StepName, stepsOf } from './steps'

/** What a new installation needs, until all of it is done or the list is dismissed. */
export function FirstSteps() {
  const [isHidden, setIsHidden] = useState(false)
  const { sendsMail, hasCloudStorage } = useServerFacts()
  const plugins = useTotal('EnginePlugins', PLUGINS_COUNT)
  const users = useTotal('EngineUsers', USERS_COUNT)
  const keys = useTotal('EngineApiKeys', KEYS_COUNT)
  if (isHidden || plugins === null || users === null || keys === null) return null
  const steps = stepsOf({ plugins, users, keys, sendsMail, hasCloudStorage })
  const left = steps.filter(({ isDone }) => !isDone).length
  if (left === 0) return null
  const hide = () => {
    rememberHidden()
    setIsHidden(true)
  }
  return (
    <Card
      title="First steps"
      description={`${steps.length - left} of ${steps.length} done`}
      actions={
        <Button variant="ghost" size="sm" onClick={hide}>
          Dismiss
        </Button>
      }
      flush
    >
      <ol className="divide-y">
        {steps.map(({ name, isDone }) => (
          <Step key={name} isDone={isDone} {...STEPS[name]} />
        ))}
      </ol>
    </Card>
  )
}

type StepText = { title: string; hint: string; actions: ReactNode }

const STEPS: Record<StepName, StepText> = {
  plugin: {
    title: 'Install a plugin',
    hint: 'It brings the entities and their records. The sample has airports and countries.',
    actions: <InstallSample />,
  },
  user: {
    title: 'Invite a user',
    hint: 'They get a link to activate their account and the roles that you choose.',
    actions: <StepLink href="/users/new">Create a user</StepLink>,
  },
  key: {
    title: 'Create an API key',
    hint: 'Programs send it with their requests.',
    actions: <StepLink href="/api-keys?create=1">Create a key</StepLink>,
  },
  mail: {
    title: 'Connect mail',
    hint: 'Until SMTP_URL or RESEND_API_KEY is set, mails are kept in the outbox and links have to be copied from there.',
    actions: <StepLink href="/settings">Settings</StepLink>,
  },
  storage: {
    title: 'Connect image storage',
    hint: 'Images are kept on this server’s disk, which is enough for one server. Set CLOUDINARY_URL for several.',
    actions: <StepLink href="/settings">Settings</StepLink>,
  },
}

function Step({ title, hint, actions, isDone }: StepText & { isDone: boolean }) {
  const Icon = isDone ? CircleCheckIcon : CircleDashedIcon
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <Icon
        aria-hidden
        className={cn('size-4 shrink-0', isDone ? 'text-success' : 'text-muted-foreground')}
      />
      <div className="min-w-0 flex-1 basis-64">
        <p className={cn('font-medium', isDone && 'text-muted-foreground')}>
          {title}
          {isDone && <span className="sr-only">, done</span>}
        </p>
        {!isDone && <p className="text-[13px] text-muted-foreground">{hint}</p>}
      </div>
      {!isDone && <div className="flex gap-2 max-sm:ml-7">{actions}</div>}
    </li>
  )
}

function StepLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={buttonClass({ size: 'sm' })}>
      {children}
    </Link>
  )
}

/** Null until it is known. */
function useTotal(entity: string, search: typeof USERS_COUNT): number | null {
  return useSearch(entity, search).data?.pagination?.total ?? null
}

function rememberHidden(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${FIRST_STEPS_COOKIE}=hidden; path=/; max-age=31536000; samesite=lax`
}

const SAMPLE = 'world-airports.zip'

/** Plans the sample plugin as if it had been dropped on the page of plugins, and goes there. */
function InstallSample() {
  const navigate = useNavigate()
  const take = useMutation({
    mutationFn: fetchSample,
    onSuccess: (file) => {
      installQueue.add([file])
      navigate('/plugins')
    },
    onError: () =>
      toast.error('The sample could not be loaded. Check the connection and try again.'),
  })
  return (
    <>
      <Link href="/plugins?install=1" className={buttonClass({ size: 'sm' })}>
        Choose a file
      </Link>
      <Button size="sm" variant="primary" busy={take.isPending} onClick={() => take.mutate()}>
        Install the sample
      </Button>
    </>
  )
}

const TIMEOUT_MS = 30_000

async function fetchSample(): Promise<File> {
  const response = await fetch(`/samples/${SAMPLE}`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`The sample answered ${response.status}`)
  return new File([await response.blob()], SAMPLE, { type: 'application/zip' })
}

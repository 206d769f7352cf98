'use client'
import { useMutation } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Notice, Refusal } from '@/components/ui/notice'
import { apiItem } from '@/lib/http/client'
import type { TestedProvider } from '@/lib/oidc/contract'

type Props = { providers: { name: string; label: string }[] }

/** A button for each provider: whether it is reached. */
export const TestProviders = ({ providers }: Props) => (
  <div className="grid gap-3 px-4 py-3">
    {providers.map((provider) => (
      <TestProvider key={provider.name} {...provider} />
    ))}
  </div>
)

function TestProvider({ name, label }: Props['providers'][number]) {
  const path = `/api/settings/providers/${name}/test`
  const test = useMutation({ mutationFn: () => apiItem<TestedProvider>(path, { method: 'POST' }) })
  return (
    <div className="grid justify-items-start gap-3">
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        Test {label}
      </Button>
      <Refusal of={test.error} />
      {test.data && !test.isPending && (
        <Notice role="status" tone={test.data.reachable ? 'info' : 'destructive'}>
          <span className="break-words">{test.data.answer}</span>
        </Notice>
      )}
    </div>
  )
}

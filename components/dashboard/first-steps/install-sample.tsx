'use client'
import { useMutation } from '@tanstack/react-query'
import { toast } from 'sonner'
import { installQueue } from '@/components/plugins/install-queue'
import { Button, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { useNavigate } from '@/components/ui/pending-page'

const SAMPLE = 'world-airports.zip'

/** Plans the sample plugin as if it had been dropped on the page of plugins, and goes there. */
export function InstallSample() {
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

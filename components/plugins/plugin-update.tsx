import { useQuery } from '@tanstack/react-query'
import { Button } from '@/components/ui/button'
import { Status } from '@/components/ui/status'
import { actionOf } from './available-plugin'
import { updatesOptions } from './index-queries'
import { planOffer } from './plan-offer'

type Props = { id: string; name: string; mayInstall: boolean }

/** That the index has a newer version of an installed plugin; those who may, plan it. Without an index, or its answer, nothing. */
export default function PluginUpdate({ id, name, mayInstall }: Props) {
  const update = useQuery(updatesOptions).data?.get(id)
  if (!update) return null
  const { latest } = update
  return mayInstall ? (
    <Button
      size="sm"
      className="relative"
      aria-label={`Update ${name} to ${latest}`}
      onClick={() => planOffer(update, latest)}
    >
      {actionOf(update, { version: latest ?? '' })}
    </Button>
  ) : (
    <Status tone="info">{latest} is available</Status>
  )
}

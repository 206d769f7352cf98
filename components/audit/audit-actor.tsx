import { BotIcon, KeyRoundIcon, type LucideIcon, UserIcon, UserXIcon } from 'lucide-react'
import type { AuditRow } from './audit-search'

const ACTORS: Record<AuditRow['actorType'], { label: string; icon: LucideIcon }> = {
  user: { label: 'User', icon: UserIcon },
  api_key: { label: 'API key', icon: KeyRoundIcon },
  system: { label: 'Engine', icon: BotIcon },
  anonymous: { label: 'Not signed in', icon: UserXIcon },
}

/** Who did it: the kind as an icon with its word for screen readers, and the name at the time. */
export function AuditActor({ actorType, actorName }: Pick<AuditRow, 'actorType' | 'actorName'>) {
  const { label, icon: Icon } = ACTORS[actorType]
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
      {actorName && <span className="sr-only">{label}:</span>}
      <span className="truncate">{actorName ?? label}</span>
    </span>
  )
}

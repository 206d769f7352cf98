import { Sheet } from '@/components/ui/sheet'
import { SidebarNav } from './sidebar'

/** The sidebar on a narrow screen. */
export default function MobileNav({ onClose }: { onClose: () => void }) {
  return (
    <Sheet onClose={onClose} title="Engine" side="left">
      <nav aria-label="Main" className="p-2">
        <SidebarNav collapsed={false} onNavigate={onClose} />
      </nav>
    </Sheet>
  )
}

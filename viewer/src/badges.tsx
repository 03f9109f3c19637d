import { useShared } from './context';
import { titleOf } from './text';

export function KindBadge({ kind }: { kind: string }) {
  const { report } = useShared();
  return <span class="badge kind" title={report.words?.kinds[kind]?.description}>{titleOf(report, kind)}</span>;
}

export function StatusBadge({ status }: { status: string }) {
  const { report } = useShared();
  return <span class={`badge status-${status}`} title={report.words?.statuses[status]}>{status}</span>;
}

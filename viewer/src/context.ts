import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Report, SourceFile } from './report';
import { Paths } from './text';

/** What every view needs: the report, its sources by file, and short paths. */
export class Shared {
  readonly paths: Paths;
  private readonly sources = new Map<string, SourceFile>();

  constructor(readonly report: Report) {
    this.paths = new Paths(report);
    for (const source of report.sources ?? []) this.sources.set(source.file, source);
  }

  source(file: string): SourceFile | undefined {
    return this.sources.get(file);
  }
}

export const SharedContext = createContext<Shared | null>(null);

export function useShared(): Shared {
  return useContext(SharedContext)!;
}

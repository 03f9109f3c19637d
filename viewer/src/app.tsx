import { useEffect, useMemo, useState } from 'preact/hooks';
import { Shared, SharedContext } from './context';
import { FindingList, initialFilter } from './finding_list';
import { FindingPage } from './finding_page';
import type { Report } from './report';
import { Summary } from './summary';

function currentHash(): string {
  return decodeURIComponent(location.hash.slice(1));
}

/** The part of the address after the #; following a link changes it. */
function useHash(): string {
  const [hash, setHash] = useState(currentHash());
  useEffect(() => {
    const follow = () => setHash(currentHash());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return hash;
}

/** Links name a finding by its id or the beginning of it; programs that share an id have a number. */
export function findingLinks(report: Report): string[] {
  const seen = new Map<string, number>();
  return report.findings.map(({ id }) => {
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}~${count}`;
  });
}

function findingAt(links: string[], hash: string): number {
  if (!/^H-/i.test(hash)) return -1;
  const exact = links.indexOf(hash);
  return exact >= 0 ? exact : links.findIndex((link) => link.toLowerCase().startsWith(hash.toLowerCase()));
}

type Theme = 'auto' | 'light' | 'dark';

function ThemeButton() {
  const [theme, setTheme] = useState<Theme>('auto');
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return (
    <label class="theme">
      Colours{' '}
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        <option value="auto">as the system</option>
        <option value="light">light</option>
        <option value="dark">dark</option>
      </select>
    </label>
  );
}

function Tab({ to, view, children }: { to: string; view: string; children: preact.ComponentChildren }) {
  return (
    <a href={`#${to}`} aria-current={view === to ? 'page' : undefined}>
      {children}
    </a>
  );
}

export function App({ report }: { report: Report }) {
  const shared = useMemo(() => new Shared(report), [report]);
  const links = useMemo(() => findingLinks(report), [report]);
  const [filter, setFilter] = useState(initialFilter);
  const hash = useHash();
  const at = findingAt(links, hash);
  const isUnknown = at < 0 && /^H-/i.test(hash);
  const view = at >= 0 ? 'finding' : hash === 'summary' || report.findings.length === 0 ? 'summary' : 'findings';
  useEffect(() => scrollTo(0, 0), [at, view]);
  return (
    <SharedContext.Provider value={shared}>
      <header class="top">
        <a class="brand" href={report.findings.length ? '#findings' : '#summary'}>heddle</a>
        <nav aria-label="Views">
          {report.findings.length > 0 && (
            <Tab to="findings" view={view}>Findings <span class="number">{report.findings.length}</span></Tab>
          )}
          <Tab to="summary" view={view}>Summary</Tab>
        </nav>
        <span class="command" title={[report.program, ...report.arguments].join(' ')}>
          heddle {report.command} {[report.program, ...report.arguments].join(' ')}
        </span>
        <ThemeButton />
      </header>
      <main>
        {isUnknown && <p class="notice" role="alert">There is no finding {hash} in this report.</p>}
        {view === 'summary' && <Summary onFilter={(kind, status) => { setFilter({ ...initialFilter, kind, status }); location.hash = 'findings'; }} />}
        {view === 'findings' && <FindingList links={links} filter={filter} onFilter={setFilter} />}
        {at >= 0 && (
          <FindingPage key={links[at]} finding={report.findings[at]!} before={links[at - 1]} after={links[at + 1]} />
        )}
      </main>
    </SharedContext.Provider>
  );
}

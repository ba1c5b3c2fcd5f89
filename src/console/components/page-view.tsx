import { Component, type ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import type { findRoute, Page } from '../routes.ts';
import { Button } from './button.tsx';
import { Empty, Skeleton } from './states.tsx';

type Found = ReturnType<typeof findRoute>;

/** The page of an address, loaded when it is first shown. */
export function PageView({ found }: { found: Found }) {
  const load = found?.route.load;
  const [loaded, setLoaded] = useState<{ load: unknown; Page: Page | null } | null>(null);
  useEffect(() => {
    let wanted = true;
    load?.().then(
      (module) => wanted && setLoaded({ load, Page: module.default as Page }),
      () => wanted && setLoaded({ load, Page: null }),
    );
    return () => {
      wanted = false;
    };
  }, [load]);
  if (!found) {
    return (
      <Empty title={t().shell.notFound}>
        <p>{t().shell.notFoundHint}</p>
        <a class="button" href="/inbox" data-page>
          {t().shell.toInbox}
        </a>
      </Empty>
    );
  }
  if (loaded?.load !== load) return <Skeleton />;
  if (!loaded?.Page) return <Broken error={null} />;
  const { Page } = loaded;
  return (
    <Boundary key={found.route.section}>
      <Page {...found.values} />
    </Boundary>
  );
}

/** A fault in one page leaves the navigation usable. */
class Boundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state = { error: null as unknown };
  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ error });
  }
  render() {
    return this.state.error === null ? this.props.children : <Broken error={this.state.error} />;
  }
}

function Broken({ error }: { error: unknown }) {
  return (
    <Empty title={t().shell.pageBroken}>
      <p>{error instanceof Error ? error.message : t().shell.pageBrokenHint}</p>
      <Button onClick={() => location.reload()}>{t().shell.reload}</Button>
    </Empty>
  );
}

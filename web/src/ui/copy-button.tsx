import { useEffect, useState } from 'react';
import { Check, Copy, type LucideIcon } from 'lucide-react';
import { Button, type ButtonSize } from './button';

const SHOWN_MS = 2000;

interface CopyButtonProps {
  text: string;
  /** Its name; without an icon of its own it says only "Copy". */
  label: string;
  icon?: LucideIcon;
  size?: ButtonSize;
}

/** Copies a text, and confirms it for two seconds. */
export function CopyButton({ text, label, icon, size = 'medium' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false); // the browser refused; the user can select the text
    }
  };
  const Icon = copied ? Check : (icon ?? Copy);
  return (
    <Button icon={Icon} look="secondary" size={size} aria-label={copied ? 'Copied' : label} onClick={() => void copy()}>
      <span aria-live="polite">{copied ? 'Copied' : icon ? label : 'Copy'}</span>
    </Button>
  );
}

import type { ReactNode } from 'react';
import { formatSats } from '../../lib/format';
import { QrPicture } from '../../ui/qr-picture';
import { Sentence, type Told } from './told';
import './report.css';
import { LIMITS, reportOf, WARNING, type ReportGiven } from './report-data';

type Texts = ReturnType<typeof reportOf>;

/** The paper: black on white, without a logo, which would lend it an authority that it does not have. A table repeats its foot on every page. */
export default function Report(given: ReportGiven) {
  const report = reportOf(given);
  return (
    <article aria-label="Report" className="report">
      <table role="presentation">
        <tbody>
          <tr>
            <td>
              <header>
                <h2>Proof of Reserves for one reader</h2>
                <p className="quiet">
                  Prepared {report.prepared} {report.made} in a browser: no bank, auditor or custodian wrote or checked it.
                </p>
                <p className="warning">{WARNING}</p>
              </header>
              <div className="sides">
                <Side label="Request" text={<bdi>{report.request}</bdi>} note={report.asked} />
                <Side label="By" text={<Lines of={report.names} />} note="The holder’s own words. Nobody checked this name." />
              </div>
              <Total report={report} />
              <h3>What it shows</h3>
              <dl>
                {report.date && <DateRows date={report.date} />}
                <Row label="Existence">{report.existence}</Row>
                <Row label="Control">Someone with the keys of these coins signed the request{report.files.length > 1 ? ', once for each file' : ''}: see “Signed” below.</Row>
                <Row label="Coins checked">{report.checked}</Row>
                <Row label="Not shown">{LIMITS}</Row>
              </dl>
              <Coins report={report} />
              <h3>{report.files.length === 1 ? 'The file' : 'The files'}</h3>
              {report.files.map((file, at) => (
                <dl key={`${file.sha256} ${file.name}`} className="file">
                  <Row label={report.files.length === 1 ? 'File' : `File ${at + 1}`}>
                    {file.size}; <Sentence>{file.holder}</Sentence>
                  </Row>
                  <Row label="Signed">
                    <Sentence>{file.signed}</Sentence> {file.keys}
                  </Row>
                  <Row label="Line signed">
                    <code>{file.line}</code>
                  </Row>
                  <Row label="SHA-256">
                    <code>{file.sha256}</code>
                  </Row>
                </dl>
              ))}
              <div className="how">
                <section>
                  <h3>Check it again, in three ways that don’t need each other</h3>
                  <ol>
                    <li>
                      These pages at a host you chose yourself, not at a link on this paper: open the {report.files.length === 1 ? 'file' : 'files'}, paste the request you gave, choose a block explorer{report.date && ' and the date'}.
                    </li>
                    <li>
                      The command, with Node.js: <code>{report.command}</code>
                    </li>
                    <li>
                      Bitcoin Core’s engine and your own node: <code>{report.ownNode}</code>
                    </li>
                  </ol>
                </section>
                {report.files.length === 1 && (
                  <figure>
                    <QrPicture text={report.files[0]?.sha256 ?? ''} label="QR code of the file’s SHA-256" />
                    <figcaption>SHA-256 of the file, not a link. Your checker compares it.</figcaption>
                  </figure>
                )}
              </div>
            </td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <td>{WARNING}</td>
          </tr>
        </tfoot>
      </table>
    </article>
  );
}

function Total({ report }: { report: Texts }) {
  return (
    <div className="total">
      <div>
        {report.total && (
          <>
            <p className="quiet">{report.label}</p>
            <p className="amount">{report.total}</p>
          </>
        )}
        {report.sums.length > 0 && (
          <p className="name">
            <Lines of={report.sums} />
          </p>
        )}
        {!report.total && report.sums.length === 0 && <p className="strong">No sum</p>}
        {report.testCoins && <p className="strong">{report.testCoins}</p>}
        {report.dollars && (
          <p className="quiet">
            {report.dollars}
            <br />
            Price: {report.priceSource}
          </p>
        )}
      </div>
      <p className="state">
        <strong>{report.coins}</strong>
        <br />
        {report.state}
      </p>
      <p className="result">
        <Sentence>{report.result}</Sentence>
      </p>
    </div>
  );
}

function DateRows({ date: { text, lower, upper, since, left } }: { date: NonNullable<Texts['date']> }) {
  return (
    <>
      <Row label="Date">
        <strong>{text}</strong>
      </Row>
      {lower && (
        <Row label="Received up to">
          {lower.text} <code>{lower.hash}</code>
        </Row>
      )}
      {upper && (
        <Row label="Unspent up to">
          {upper.text} <code>{upper.hash}</code>
        </Row>
      )}
      {since && <Row label="Spent since">{since}</Row>}
      {left && <Row label="Not in the sum">{left}.</Row>}
    </>
  );
}

/** Sentences, each on a line of its own. */
function Lines({ of }: { of: Told[] }) {
  return of.map((sentence, at) => (
    // oxlint-disable-next-line react/no-array-index-key -- they never change their order
    <span key={at} className="block">
      <Sentence>{sentence}</Sentence>
    </span>
  ));
}

function Side({ label, text, note }: { label: string; text: ReactNode; note: string }) {
  return (
    <section>
      <h3 className="quiet">{label}</h3>
      <p className="name">{text}</p>
      <p className="quiet">{note}</p>
    </section>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Coins({ report: { rows, more, files, date } }: { report: Texts }) {
  return (
    <>
      <table className="coins">
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">Coin</th>
            <th scope="col">Conditions</th>
            <th scope="col">BTC</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ address, txid, vout, sats, conditions, word, file }, at) => (
            <tr key={`${file} ${txid}:${vout}`}>
              <td>
                {at + 1}
                {files.length > 1 && <span className="quiet block whitespace-nowrap">File {file + 1}</span>}
              </td>
              <td>
                <code className="block">{address ?? 'No address'}</code>
                <code className="quiet">
                  {txid}:{vout}
                </code>
              </td>
              <td>
                {conditions}
                {date && <span className="block strong">{word}</span>}
              </td>
              <td>{formatSats(sats)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more && <p className="quiet">{more}</p>}
    </>
  );
}

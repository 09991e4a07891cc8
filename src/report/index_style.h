// SPDX-License-Identifier: Apache-2.0
// Private to index_pages.cpp: how the pages look, by day and by night.
#pragma once

#include <string_view>

namespace fitment {

constexpr std::string_view kIndexStyle = R"css(
:root{color-scheme:light dark;--ink:#1c2024;--dim:#656d76;--page:#fff;--line:#e3e6ea;--band:#f5f7f9;
--yes:#12733c;--yes-bg:#e2f5e9;--pin:#8a5a00;--pin-bg:#fff2d6;--no:#8c2f39;--no-bg:#fbe7e9;--link:#1659c7}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--dim:#98a1ab;--page:#14171a;--line:#2b3036;--band:#1b1f24;
--yes:#7ee2a4;--yes-bg:#143322;--pin:#f2c46d;--pin-bg:#3a2c0e;--no:#f2a1a9;--no-bg:#3b1a1e;--link:#7ab0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{background:var(--band);border-bottom:1px solid var(--line);padding:1.6rem max(1.2rem,calc(50vw - 34rem))}
main,footer{padding:1.4rem max(1.2rem,calc(50vw - 34rem))}
footer{color:var(--dim);font-size:.85rem}
h1{margin:0;font-size:1.9rem;letter-spacing:-.01em}
h2{font-size:1.05rem;margin:1.6rem 0 .5rem}
header p{margin:.2rem 0;color:var(--dim)}
a{color:var(--link);text-decoration:none}
a:hover{text-decoration:underline}
code,pre,li{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.86em}
pre{background:var(--band);border:1px solid var(--line);border-radius:8px;padding:.9rem 1.1rem;overflow-x:auto;margin:0}
.badge{display:inline-block;border-radius:99px;padding:.05rem .65rem;font-size:.82rem;white-space:nowrap;margin:0 .35rem .35rem 0}
.fact{border:1px solid var(--line);background:var(--page);color:var(--ink)}
.yes.badge{background:var(--yes-bg);color:var(--yes)}
.pin.badge{background:var(--pin-bg);color:var(--pin)}
.no.badge{background:var(--no-bg);color:var(--no)}
.facts{margin-top:.8rem!important}
.answer{font-size:1.15rem;margin:.2rem 0;color:var(--yes)}
.answer.no{color:var(--no)}
.note{color:var(--dim);margin:.3rem 0 .6rem}
.links a,.links b{display:inline-block;margin:0 .9rem .3rem 0}
details.release{border:1px solid var(--line);border-radius:10px;margin:.7rem 0;padding:.2rem 1rem}
details.release[open]{padding-bottom:.8rem}
summary{cursor:pointer;padding:.5rem 0}
td summary{padding:0;white-space:nowrap}
.release>summary{font-weight:600}
.version{display:inline-block;min-width:6.5rem;margin-right:.8rem}
table{border-collapse:collapse;width:100%}
th{text-align:left;color:var(--dim);font-weight:500;font-size:.8rem;padding:.2rem .8rem .3rem 0}
td{border-top:1px solid var(--line);padding:.45rem .8rem .35rem 0;vertical-align:top}
td p{margin:0 0 .15rem}
td:nth-child(2){max-width:11rem}
ul{margin:0;padding:0;list-style:none}
li{overflow-wrap:anywhere}
tr.no td,tr.pin td{color:var(--dim)}
td b{color:var(--ink);font-weight:600}
.hint{display:block;font-size:.88em}
@media(max-width:46rem){thead{display:none}td{display:block;border:0;padding:.1rem 0}td:nth-child(-n+2){display:inline-block;max-width:none}tr{display:block;border-top:1px solid var(--line);padding:.5rem 0}}
)css";

}  // namespace fitment
